"""tests/show/usd.py FILE.usda PLACES.json: OpenUSD by its owner (PyPI's usd-core). Every validator that it has finds no error, every place of
every frame is compared, and what a file says of a cloth's material is read back. Exit code 1 if a place is off by more than 1e-6 m."""
import json
import sys

from pxr import Usd, UsdGeom, UsdShade, UsdValidation

path, wanted = sys.argv[1:]
stage = Usd.Stage.Open(path)
with open(wanted, encoding="utf-8") as file:
    truth = json.load(file)

validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
errors = UsdValidation.ValidationContext(validators).Validate(stage)
for e in errors:
    print(f"show: {path}: {e.GetName()}: {e.GetMessage()}")
wrong = bool(errors) or not validators
wrong |= UsdGeom.GetStageUpAxis(stage) != "Z" or UsdGeom.GetStageMetersPerUnit(stage) != 1

worst, compared = 0.0, 0
for time_s, frame in zip(truth["times"], truth["frames"]):
    code = round(time_s * stage.GetTimeCodesPerSecond(), 6)
    for name, places in frame.items():
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/World/" + name))
        points = mesh.GetPointsAttr().Get(code) if mesh else None
        own = [x for p in points or [] for x in p]
        if len(own) != len(places):
            print(f"show: {path}: {time_s} s: '{name}' has {len(own)} numbers, {len(places)} were wanted")
            wrong = True
            continue
        worst = max([worst] + [abs(a - b) for a, b in zip(own, places)])
        compared += len(places) // 3
        counts, indices = mesh.GetFaceVertexCountsAttr().Get(code), mesh.GetFaceVertexIndicesAttr().Get(code)
        wrong |= UsdGeom.Mesh.ValidateTopology(indices, counts, len(points))[0] is not True

materials = [p for p in stage.Traverse() if p.IsA(UsdShade.Material)]
numbers = {a.GetName(): a.Get() for p in materials for a in p.GetAuthoredAttributes()}
bound = [p for p in stage.Traverse() if UsdShade.MaterialBindingAPI(p).ComputeBoundMaterial("physics")[0]]
wrong |= any(not v > 0 for v in numbers.values()) or bool(materials) != bool(bound)
print(f"show: usd-core {'.'.join(map(str, Usd.GetVersion()))}: {len(validators)} validators, {len(errors)} errors; {compared} vertices of "
      f"{len(truth['frames'])} frames, off by {worst:.2g} m at most; {len(numbers)} numbers of {len(materials)} materials, bound to {len(bound)}")
sys.exit(wrong or worst > 1e-6 or compared == 0)
