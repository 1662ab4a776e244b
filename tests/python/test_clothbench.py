"""The Python package against the program: ./run python. BUILD: the folder with clothbench and forces."""
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time

import clothbench
import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ["BUILD"]
MATERIALS = os.path.join(ROOT, "materials.db")
DRAPE = os.path.join(ROOT, "tests", "kit", "library_drape.yaml")
PAIR = ("Royal Target", "Plastic Foam")


@pytest.fixture
def database():
    with clothbench.open(MATERIALS) as opened:
        yield opened


def program(*words, database=MATERIALS):
    done = subprocess.run([os.path.join(BUILD, "clothbench"), *words, "--db", database, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_friction_of_all_pairs_has_the_bits_of_the_program(database):
    made = subprocess.run([os.path.join(BUILD, "tests", "forces"), MATERIALS], capture_output=True, check=True)
    pairs = [line.split("\t") for line in made.stderr.decode().splitlines()]
    wanted = np.frombuffer(made.stdout).reshape(len(pairs), 1000, 4)
    assert len(pairs) == 50
    for (cloth, body), rows in zip(pairs, wanted):
        found = database.law("kinetic", cloth, body).friction_force(rows[:, 0], rows[:, 1])
        assert np.array_equal(found.value.view(np.int64), rows[:, 2].copy().view(np.int64))
        assert np.array_equal(found.u.view(np.int64), rows[:, 3].copy().view(np.int64))


def test_the_command_line_says_the_same_and_is_slower(database):
    angles, loads = np.array([0.0, 30, 75]), np.array([0.2, 1.0, 5.0])
    law = database.law("kinetic", *PAIR)
    found = law.friction_force(angles, loads)
    begin = time.perf_counter()
    for i in range(3):
        told = program("predict", "friction", "--cloth", PAIR[0], "--body", PAIR[1], "--angle-deg", str(angles[i]), "--normal-force-N", str(loads[i]))
        assert told["force_N"] == found.value[i] and told["u_force_N"] == found.u[i]
        assert told["u95_force_N"] == pytest.approx(found.high[i] - found.value[i], rel=1e-12)
        assert told["inside_measured_range"] == found.measured[i]
    per_command_s = (time.perf_counter() - begin) / 3
    begin = time.perf_counter()
    law.friction_force(np.linspace(0, 90, 50000), 1.0)
    per_point_s = (time.perf_counter() - begin) / 50000
    print(f"a point: {1e6 * per_point_s:.2g} us here, {1e3 * per_command_s:.2g} ms by a command", file=sys.stderr)
    assert per_point_s < per_command_s


def test_other_laws_say_what_commands_say(database):
    stretch = database.law("stretch", "Acrylic garter").stretch_force(0, 0.03)
    assert program("predict", "stretch", "--cloth", "Acrylic garter", "--angle-deg", "0", "--strain", "0.03")["force_N_per_m"] == stretch.value
    twill = database.law("bending", "Petrak M1, polyester twill")
    told = program("predict", "bending", "--cloth", "Petrak M1, polyester twill", "--angle-deg", "0", "--curvature-per-m", "100")
    assert told["B_Nm"] == twill.bending_rigidity(0, 100).value
    assert twill.bending_moment(0, 100).value > 100 * told["B_Nm"]  # friction of the yarns
    air = database.law("permeability", "Advancheck SMS (nW10)").air_velocity([100, 200])
    told = program("predict", "permeability", "Advancheck SMS (nW10)", "--pressure-Pa", "200")
    assert told["velocity_m_per_s"] == air.value[1]
    assert air.value[1] > air.value[0] > 0 and np.all(air.low < air.value) and np.all(air.value < air.high)


def test_shapes_are_broadcast(database):
    law = database.law("kinetic", *PAIR)
    assert law.friction_force([[0], [90]], [1, 2, 3]).value.shape == (2, 3)
    assert law.mu(0, 1).value.shape == () and law.tensor([1, 2]).shape == (2, 3)
    f = law.tensor(1.0)
    assert law.friction_force(45, 1).value == pytest.approx(f[0] / 2 + f[1] + f[2] / 2)


def test_draws_scatter_as_the_uncertainty_says(database):
    law = database.law("kinetic", *PAIR)
    told = law.mu(30, 1)
    drawn = [float(d.mu(30, 1).value) for d in law.draws(2000, seed=3)]
    assert statistics.mean(drawn) == pytest.approx(float(told.value), abs=4 * told.u / 2000 ** 0.5)
    assert 0.9 < statistics.stdev(drawn) / told.u < 1.2
    assert float(law.draw(7, seed=3).mu(30, 1).value) == drawn[7]


def test_errors_have_the_sentence(database):
    with pytest.raises(clothbench.NotFound, match="Nobody") as failed:
        database.law("stretch", "Nobody")
    assert failed.value.status == -10 and isinstance(failed.value, LookupError)
    law = database.law("kinetic", *PAIR)
    with pytest.raises(ValueError, match=r"normal_force_N\[1\] = -1"):
        law.friction_force(0, [1, -1])
    with pytest.raises(clothbench.Invalid, match="a law of stretch was wanted"):
        law.stretch_force(0, 0.1)
    with pytest.raises(clothbench.Invalid, match="kinetic, static"):
        database.law("sliding", *PAIR)
    database.close()
    with pytest.raises(clothbench.Invalid, match="closed"):
        database.cloths()
    assert law.friction_force(0, 1).value > 0  # a law outlives its database


def test_the_database_is_read(database):
    assert len(database.cloths()) == 103 and database.bodies()[0] == "Cotton"
    assert database.query("SELECT count(*) AS n FROM material")[0]["n"] == 110
    assert "<td>kinetic</td>" in database.law("kinetic", *PAIR)._repr_html_()
    assert "knots" in database.law("kinetic", *PAIR).json()
    assert database.card("Royal Target") and database.export("Royal Target", "json").startswith("{")
    table = database.table("points")
    assert len(table) > 900 and "normal_force_N" in table.columns


def test_arguments_of_engines_run_with_the_edge(database):
    text = database.export("Petrak M1, polyester twill", "newton")
    arguments, friction = clothbench.engine_arguments(text, 0.008)
    bending = (1.95e-6 + 0.61e-6) / 2  # warp and weft of the source's table
    assert arguments["edge_ke"] == pytest.approx(bending / 0.008, rel=1e-6) and friction is None
    assert arguments["tri_ka"] == 0 and arguments["density"] == pytest.approx(0.13517)
    springs, _ = clothbench.engine_arguments(database.export("Petrak M1, polyester twill", "pybullet"), 0.008)
    assert isinstance(springs["useMassSpring"], int) and "frictionCoeff" not in springs  # as PyBullet wants them
    assert springs["springElasticStiffness"] == pytest.approx(0.75 * (477.22 + 458.62) / 2, rel=1e-3)
    with pytest.raises(clothbench.Invalid, match="0.005 to 0.01 were wanted"):
        clothbench.engine_arguments(text, 0.02)


def test_a_table_becomes_a_law(tmp_path):
    (tmp_path / "map.yaml").write_text("kind: permeability\nsource: a test\ncolumns:\n  material: {column: cloth}\n"
                                       "  pressure: {column: p, unit: Pa}\n  velocity: {column: v, unit: mm/s}\n")
    (tmp_path / "air.csv").write_text("cloth,p,v\nGauze,50,25\nGauze,100,50\nGauze,200,100\n")
    assert clothbench.import_table(tmp_path / "lab.db", "permeability", tmp_path / "map.yaml", tmp_path / "air.csv") >= 1
    with clothbench.open(tmp_path / "lab.db", writable=True) as lab:
        assert lab.fit("permeability", "Gauze").air_velocity(150).value == pytest.approx(0.075, rel=1e-5)


def test_a_self_friction_law_says_what_the_command_says(tmp_path):
    (tmp_path / "map.yaml").write_text(
        "columns: {cloth: cloth, body: body, angle_deg: deg, body_angle_deg: below, cart_mass_g: cart, added_mass_g: added, reading: mV, "
        "friction_coefficient: mu}\ncalibration: {reading_unit: mV/V, reading: 2.5, mass_g: 200, u_rel: 0.002}\ngravity_m_per_s2: 9.81\n"
        "contact_area_cm2: 50\nspeed_mm_per_s: 10\nfriction_coefficient_decimals: 5\nkind: kinetic\nsource: invented\n")
    rows = [(a, b, g, 0.5 * (9.81e-3 * g) ** -0.1 * ((1 + 0.3 * np.cos(np.radians(2 * a))) * (1 - 0.2 * np.cos(np.radians(2 * b)))) ** 0.5)
            for g in (50, 100, 200) for a in (0, 45, 90) for b in (0, 45, 90)]
    (tmp_path / "t.csv").write_text("cloth,body,deg,below,cart,added,mV,mu\n" + "".join("Twill,Silk,%d,%d,0.0,%g,,%.5f\n" % row for row in rows))
    lab = tmp_path / "lab.db"
    assert clothbench.import_table(lab, "friction", tmp_path / "map.yaml", tmp_path / "t.csv") == 27
    with clothbench.open(lab, writable=True) as opened:
        found = opened.fit("self-friction", "Twill", "Silk").self_friction_force([20, 30], 110, [1.5, 0.8])
    told = program("predict", "self-friction", "--cloth", "Twill", "--body", "Silk", "--angle-deg", "30", "--body-angle-deg", "110",
                   "--normal-force-N", "0.8", database=lab)
    assert told["force_N"] == found.value[1] and told["u_force_N"] == found.u[1] and found.measured.all()


def test_a_compression_law_says_what_the_command_says(tmp_path):
    (tmp_path / "map.yaml").write_text("kind: compression\nmethod: KES-FB3\nsource: us\ncolumns:\n  material: {column: fabric}\n"
                                       "  pressure: {column: P, unit: gf/cm2}\n  thickness: {column: T, unit: mm, u_rel: 0.01}\n")
    ways = np.concatenate([np.linspace(-1, 0, 101), np.linspace(0, -1, 101)[1:]]) * np.log(500)
    (tmp_path / "fb3.csv").write_text("fabric,P,T\n" + "".join(
        "Serge,%.6f,%.6f\n" % (50 * np.exp(way), 0.4 - (0.05 if i <= 100 else 0.02) * way) for i, way in enumerate(ways)))
    lab = tmp_path / "lab.db"
    clothbench.import_table(lab, "compression", tmp_path / "map.yaml", tmp_path / "fb3.csv")
    with clothbench.open(lab, writable=True) as opened:
        found = opened.fit("compression", "Serge").thickness([500, 1000])
    told = program("predict", "compression", "--cloth", "Serge", "--pressure-Pa", "1000", database=lab)
    assert told["thickness_m"] == found.value[1] and told["u_thickness_m"] == found.u[1] and found.value[0] > found.value[1]


def test_a_scene_is_seen_where_it_lies(tmp_path):
    scene = clothbench.Scene(DRAPE)
    cloth = scene.surfaces()[0]
    start = cloth.position_m.copy()
    scene.step(3)
    cloth = scene.surfaces()[0]
    assert cloth.position_m[:, 2].max() < start[:, 2].max() and not cloth.position_m.flags.writeable
    assert cloth.position_m.base is not None and cloth.triangle.max() < len(start)
    scene.save(tmp_path / "state")
    scene.step(2)
    again = clothbench.Scene(DRAPE)
    again.load(tmp_path / "state")
    again.step(2)
    assert np.array_equal(again.surfaces()[0].position_m, scene.surfaces()[0].position_m)
    assert scene.row()["time_s"] == pytest.approx(0.025) and scene.done == 5
    held = again.surfaces()[0].position_m
    with pytest.raises(BufferError, match="loading moves the memory of 1 arrays"):
        again.load(tmp_path / "state")
    del held
    again.load(tmp_path / "state")
    kept = scene.surfaces()[0].position_m
    del scene, cloth
    assert np.isfinite(kept).all()  # the view keeps the scene


def test_a_cone_has_a_drape_coefficient():
    a = np.linspace(0, 2 * np.pi, 721)[:-1]
    points = np.vstack([[0, 0, 0], np.column_stack([0.12 * np.cos(a), 0.12 * np.sin(a), -0.05 + 0 * a])])
    i = np.arange(720)
    drape = clothbench.drape_of_mesh(points, np.column_stack([0 * i, 1 + i, 1 + (i + 1) % 720]))
    assert drape.coefficient == pytest.approx((0.12 ** 2 - 0.09 ** 2) / (0.15 ** 2 - 0.09 ** 2), abs=1e-3) and drape.nodes == 0
    assert clothbench.en(0.5, 0.03, 0.45, 0.04) == pytest.approx(1)


def test_threads_share_a_law(database):
    law, points = database.law("kinetic", *PAIR), np.linspace(0, 90, 20000)
    found = [None] * 4

    def work(k):
        found[k] = law.friction_force(points, 1.0).value

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(x, found[0]) for x in found)


def test_threads_take_turns_at_a_database(database):
    found = []

    def work():
        for _ in range(25):
            found.append(len(database.cloths()) + float(database.law("kinetic", *PAIR).mu(0, 1).value))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 100 and len(set(found)) == 1


def test_what_would_be_cut_is_refused(database):
    with pytest.raises(ValueError, match="zero bytes"):
        database.law("kinetic", "Royal Target\0 II", PAIR[1])
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    for wrong in ([[0, 1, 2 ** 32 + 2]], [[0, 1, 1.9]], [[0, 1, -1]]):
        with pytest.raises(ValueError, match="whole numbers from 0 to 2"):
            clothbench.drape_of_mesh(points, wrong)


def test_a_view_does_not_outlive_its_memory(database, tmp_path):
    with open(os.path.join(ROOT, "scenes", "twill_remeshed.yaml"), encoding="utf-8") as file:
        (tmp_path / "remeshed.yaml").write_text(file.read())
    scene = clothbench.Scene(tmp_path / "remeshed.yaml", database)
    assert scene.model.startswith("remesh")
    held = scene.surfaces()[0].position_m
    with pytest.raises(BufferError, match="remeshing moves"):
        scene.step()
    assert np.isfinite(held).all()
    del held
    scene.step()
    assert scene.done == 1


def test_handles_are_given_back(database):
    law = database.law("kinetic", *PAIR)

    def many(n):
        for i in range(n):
            law.draw(i)
            if i % 10 == 0:
                with clothbench.open(MATERIALS) as other:
                    other.law("kinetic", *PAIR)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before_kB = many(200)
    assert many(5000) < before_kB + 20000  # a law has 30 KB: kept, they would be 150 MB


def test_import_and_first_law_in_new_processes():  # how quick is told, not judged
    code = (f"import clothbench; clothbench.open({MATERIALS!r}).law('kinetic', {PAIR[0]!r}, {PAIR[1]!r}).mu(30, 1)")
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - begin)
    print(f"import and first law: {statistics.median(times):.3f} s (median of 10)", file=sys.stderr)


def test_the_examples_of_the_page_run(monkeypatch):
    monkeypatch.chdir(ROOT)
    with open("docs/guide/python.md", encoding="utf-8") as page:
        blocks = page.read().split("\n\n")
    scope = {}
    for block in blocks:
        if block.startswith("    ") and not block.lstrip().startswith(("pip", "./run")):
            exec("\n".join(line[4:] for line in block.splitlines()), scope)
    assert scope["band"].value.shape == (3,) and len(scope["speeds"]) == 200 and scope["scene"].done == 10
