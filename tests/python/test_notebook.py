"""corten.show, play and plot, and the guide docs/guide.ipynb from its first cell to its last."""

import importlib.util
import json
import os
import struct
import unittest

import support
import corten
import numpy as np

MODEL = corten.Model(support.model_path("humanoid"))
PNG = b"\x89PNG\r\n\x1a\n"


def no_pictures():
    """Why this machine cannot draw; None: it can."""
    try:
        corten.show(MODEL, np.zeros(MODEL.nq), size=(16, 16))
    except (corten.Error, FileNotFoundError) as error:
        return str(error)
    return None


WHY = no_pictures()


@unittest.skipIf(WHY, f"no pictures: {WHY}")
class Pictures(unittest.TestCase):

    def test_cameras_may_be_called_what_they_like(self):
        def pictures(names, cameras):
            cameras_of = "".join(f'<camera name="{name}" pos="0 0 {5 + i}"/>' for i, name in enumerate(names))
            model = corten.Model.from_string(f'''<mujoco><visual><global cameraid="1"/></visual><worldbody>{cameras_of}
              <light pos="0 0 3"/><geom type="box" size="1 .3 .1"/></worldbody></mujoco>''')
            return [corten.show(model, np.zeros(0), size=(60, 40), camera=camera).data for camera in cameras]

        plain = pictures(("up", "higher", "highest"), ("up", "higher", "highest", 0, 1, 2, None, "free"))
        self.assertEqual(plain[:3], plain[3:6])
        self.assertEqual((plain[6], len(set(plain))), (plain[1], 4))
        for names in (("1", "2", "0"), ("-o", "--help", "x")):
            self.assertEqual(pictures(names, (*names, 0, 1, 2, None, "free")), plain, names)

    def test_mocap_bodies_are_where_the_state_has_them(self):
        def model(body):
            return corten.Model.from_string(f'''<mujoco><worldbody><light pos="0 0 3"/>
              <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 .3 1"/><geom type="plane" size="2 2 .1" rgba=".3 .3 .3 1"/>
              {body}<geom type="box" size=".1 .2 .3" rgba="1 0 0 1"/></body>
              <body pos="-1 0 .5"><joint name="j"/><geom size=".2"/></body></worldbody></mujoco>''')

        moving = model('<body mocap="true" pos=".2 0 .5">')

        def picture(data, model=moving, **options):
            return corten.show(model, data, size=(80, 60), camera="eye", **options).data
        there = picture(np.zeros(1), model('<body pos=".7 .3 .8" quat="0.5 0.5 0.5 0.5">'))
        rest = picture(np.zeros(1), model('<body pos=".2 0 .5">'))
        self.assertNotEqual(there, rest)
        self.assertEqual(picture(np.zeros(1)), rest)
        batch = corten.Batch(moving, 2)
        self.assertEqual(picture(batch), rest)
        batch["mocap_pos"][1], batch["mocap_quat"][1] = (.7, .3, .8), .5
        self.assertEqual(picture(batch, environment=0), rest)
        self.assertEqual(picture(batch, environment=1), there)
        states = {name: batch.get(name) for name in ("qpos", "mocap_pos", "mocap_quat")}
        self.assertEqual(picture(states, environment=1), there)

        class Data:  # as mujoco.MjData has them
            qpos, mocap_pos, mocap_quat = np.zeros(1), np.array([[.7, .3, .8]]), np.full((1, 4), .5)

        self.assertEqual(picture(Data()), there)
        films = [corten.play(moving, {**states, **other}, size=(40, 30)).data for other in (
            {}, {"mocap_pos": states["mocap_pos"][0], "mocap_quat": states["mocap_quat"][:1]})]
        self.assertNotEqual(*films)
        for bad, words in (({"mocap_pos": np.zeros((1, 3))}, "qpos"), ({**states, "act": 1}, "act"),
                           ({**states, "mocap_pos": np.zeros((2, 4))}, "mocap_pos"),
                           ({**states, "mocap_pos": np.zeros((5, 3))}, "mocap_pos has 5 states"),
                           ({**states, "mocap_quat": np.full((2, 4), np.nan)}, "mocap_quat")):
            with self.assertRaisesRegex(ValueError, f"^states: .*{words}"):
                corten.play(moving, bad)

    def test_arguments_of_other_types_are_named(self):
        for name, bad in (("size", 5), ("size", (4.5, 3)), ("size", "ab"), ("environment", "a")):
            with self.assertRaisesRegex(TypeError, f"^{name}: "):
                corten.show(MODEL, np.zeros(MODEL.nq), **{name: bad})
        with self.assertRaisesRegex(TypeError, "^fps: "):
            corten.play(MODEL, np.zeros(MODEL.nq), fps="x")

    def test_a_picture_has_its_size_and_shows_the_state(self):
        batch = corten.Batch(MODEL, 2)
        batch.qpos[1, 2] += 0.5
        one, other = (corten.show(MODEL, batch, size=(120, 90), environment=i) for i in (0, 1))
        self.assertEqual(one.data[:8], PNG)
        self.assertEqual(struct.unpack(">II", one.data[16:24]), (120, 90))
        self.assertNotEqual(one.data, other.data)
        self.assertEqual(one.data, corten.show(MODEL, batch.qpos[0], size=(120, 90)).data)
        self.assertEqual(list(one._repr_mimebundle_()), ["image/png"])

    def test_an_animation_has_all_frames(self):
        batch = corten.Batch(MODEL, 1)
        path = batch.rollout(nstep=6, record="qpos", substeps=10)["qpos"][0]
        film = corten.play(MODEL, path, fps=10, size=(80, 60)).data
        self.assertEqual(film[:8], PNG)
        at = film.index(b"acTL")
        self.assertEqual(struct.unpack(">I", film[at + 4:at + 8])[0], 6)
        self.assertEqual(film.count(b"fcTL"), 6)
        if importlib.util.find_spec("PIL"):
            import io
            from PIL import Image
            with Image.open(io.BytesIO(film)) as picture:
                self.assertEqual((picture.n_frames, picture.size), (6, (80, 60)))
                picture.seek(5)
                picture.load()

    def test_the_package_goes_in(self):
        if importlib.util.find_spec("mujoco") is None:
            self.skipTest("mujoco is not installed")
        import mujoco
        m = mujoco.MjModel.from_xml_path(support.model_path("pendulum"))
        self.assertEqual(corten.show(m, mujoco.MjData(m), size=(40, 30)).data[:8], PNG)

    def test_the_guide_runs(self):
        with open(os.path.join(support.ROOT, "docs", "guide.ipynb"), encoding="utf-8") as file:
            book = json.load(file)
        space, shown = {}, 0
        for cell in book["cells"]:
            if cell["cell_type"] != "code":
                continue
            *lines, last = "".join(cell["source"]).rstrip().split("\n")
            exec("\n".join(lines), space)
            try:
                value = eval(last, space)
                shown += hasattr(value, "_repr_mimebundle_")
            except SyntaxError:
                exec(last, space)
        self.assertGreaterEqual(shown, 4)
        self.assertGreater(space["height"], 1.8)
        self.assertGreater(space["heights"][-1], space["heights"][0])

    @unittest.skipIf(importlib.util.find_spec("nbclient") is None, "nbclient is not installed")
    def test_the_guide_runs_in_jupyter(self):
        import nbclient
        import nbformat
        book = nbformat.read(os.path.join(support.ROOT, "docs", "guide.ipynb"), as_version=4)
        nbclient.NotebookClient(book, timeout=600).execute()
        kinds = {kind for cell in book.cells if cell.cell_type == "code" for output in cell.outputs
                 for kind in output.get("data", {})}
        self.assertLessEqual({"image/png", "image/svg+xml"}, kinds)


class Curves(unittest.TestCase):

    def test_curves_become_a_drawing(self):
        drawing = corten.plot([0, 1, 2], {"up": [0, 1, 4], "a[*]": [4, 1, 0]}, title="two curves")
        text = drawing.data.decode()
        self.assertTrue(text.startswith("<svg"))
        for word in ("two curves", "up", "a[*]"):
            self.assertIn(word, text)
        self.assertEqual(list(drawing._repr_mimebundle_()), ["image/svg+xml"])
        self.assertIn("<svg", corten.plot(range(5), np.zeros((5, 2))).data.decode())
        text = corten.plot([0, 1], {"--help": [0, 1], "-o": [1, 0]}, title="--help").data.decode()  # no options of the command
        self.assertEqual((text.count("--help"), text.count("-o<")), (2, 1))
        self.assertIn(">5<", corten.plot([0, 1], {"a": [0, 3]}, title=5).data.decode())

    def test_mistakes_name_the_argument(self):
        for error, words, call in (
                (ValueError, "^curves", lambda: corten.plot([0, 1], {"a": [1]})),
                (ValueError, "^curves", lambda: corten.plot([], {})),
                (ValueError, "^curves", lambda: corten.plot([0, 1], {"a,b": [1, 2]})),
                (ValueError, "^states", lambda: corten.show(MODEL, np.zeros(3))),
                (ValueError, "^states", lambda: corten.show(MODEL, np.full(MODEL.nq, np.nan))),
                (ValueError, "^size", lambda: corten.show(MODEL, np.zeros(MODEL.nq), size=(0, 5))),
                (IndexError, "^environment", lambda: corten.show(MODEL, np.zeros(MODEL.nq), environment=1)),
                (ValueError, "^states", lambda: corten.play(MODEL, np.zeros((0, MODEL.nq)))),
                (TypeError, "^states", lambda: corten.show(MODEL, "here")),
                (ValueError, "^camera: .*--help", lambda: corten.show(MODEL, np.zeros(MODEL.nq), camera="--help")),
                (ValueError, "^camera: .*99", lambda: corten.show(MODEL, np.zeros(MODEL.nq), camera=99)),
                (TypeError, "^camera: ", lambda: corten.show(MODEL, np.zeros(MODEL.nq), camera=1.5)),
                (TypeError, "^x: ", lambda: corten.plot("abc", {"a": [1]})),
                (TypeError, "^curves: ", lambda: corten.plot([0, 1], "abc")),
                (ValueError, "^fps", lambda: corten.play(MODEL, np.zeros((2, MODEL.nq)), fps=0)),
                (TypeError, "^model: .*not str", lambda: corten.show("model", np.zeros(3))),
                (TypeError, "^model: ", lambda: corten.play(None, np.zeros(3))),
                (TypeError, "^source: ", lambda: corten.Model.from_mujoco("model"))):
            with self.assertRaisesRegex(error, words):
                call()
        with self.assertRaises(AttributeError):
            corten.shows


if __name__ == "__main__":
    support.main()
