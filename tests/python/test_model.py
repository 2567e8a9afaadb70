"""corten.Model: files, texts, bytes, names; what is wrong with a model is a Python exception."""

import os
import pickle
import tempfile
import unittest

import support
import corten

BALL = """<mujoco model="ball"><worldbody><body name="ball"><freejoint name="free"/>
<geom name="shell" size=".1"/></body></worldbody>
<keyframe><key name="up" qpos="0 0 1 1 0 0 0"/></keyframe></mujoco>"""
HILL = """<mujoco><asset><hfield name="hill" nrow="2" ncol="2" file="hill.bin" size="1 1 1 1"/></asset>
<worldbody><geom type="hfield" hfield="hill"/></worldbody></mujoco>"""


class Reading(unittest.TestCase):

    def test_a_file_a_text_and_bytes_give_the_same_model(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.xml")
            with open(path, "w") as file:
                file.write(BALL)
            from_file = corten.Model(path)
            saved = os.path.join(folder, "ball.MJB")
            from_file.save(saved)
            from_saved = corten.Model(saved)
        from_text = corten.Model.from_string(BALL)
        from_bytes = corten.Model.from_bytes(from_text.to_bytes())
        for other in (from_saved, from_text, from_bytes):
            self.assertEqual(other.to_bytes(), from_file.to_bytes())

    def test_sizes_names_and_timestep(self):
        model = corten.Model.from_string(BALL)
        self.assertEqual((model.nq, model.nv, model.nu, model.nbody, model.nkey), (7, 6, 0, 2, 1))
        self.assertEqual(model.timestep, 0.002)
        self.assertEqual(model.id("geom", "shell"), 0)
        self.assertEqual(model.name("body", 1), "ball")
        self.assertEqual(model.name("geom", 99), "")
        self.assertEqual(model.state_size(corten.STATE_QPOS | corten.STATE_QVEL), 13)
        self.assertIn("nq=7", repr(model))

    def test_files_that_a_text_names_come_from_a_dict(self):
        import struct
        hill = struct.pack("<2i4f", 2, 2, 0, 1, 2, 3)
        model = corten.Model.from_string(HILL, assets={"hill.bin": hill})
        self.assertEqual(model.ngeom, 1)
        with self.assertRaisesRegex(TypeError, "assets"):
            corten.Model.from_string(HILL, assets={"hill.bin": "text"})
        with self.assertRaisesRegex(ValueError, "hill.bin"):
            corten.Model.from_string(HILL)

    def test_a_model_is_pickled_as_its_bytes(self):
        model = corten.Model.from_string(BALL)
        other = pickle.loads(pickle.dumps(model))
        self.assertEqual(other.to_bytes(), model.to_bytes())
        for one, two in ((model, other), (other, model)):  # and is the same model to what was saved
            corten.Batch(two, 2).restore(corten.Batch(one, 2).save())


class Mistakes(unittest.TestCase):

    def test_a_file_that_is_not_there(self):
        for name in ("nowhere.xml", "nowhere.mjb"):
            with self.assertRaisesRegex(FileNotFoundError, "nowhere"):
                corten.Model(name)

    def test_a_mistake_in_a_text_has_its_line(self):
        with self.assertRaisesRegex(ValueError, "line 2"):
            corten.Model.from_string("<mujoco>\n<wrong/></mujoco>")

    def test_bytes_that_are_not_a_model(self):
        data = bytearray(corten.Model.from_string(BALL).to_bytes())
        for damaged in (b"", b"abc", bytes(data[:-5]), bytes(data) + b"more", bytes(200)):
            with self.assertRaises(ValueError):
                corten.Model.from_bytes(damaged)
        with self.assertRaisesRegex(TypeError, "data"):
            corten.Model.from_bytes("text")

    def test_every_damaged_byte_of_the_head_is_refused_or_read(self):
        data = corten.Model.from_string(BALL).to_bytes()
        for i in range(0, 600):
            damaged = data[:i] + bytes([data[i] ^ 0x7F]) + data[i + 1:]
            try:
                corten.Model.from_bytes(damaged)
            except (ValueError, MemoryError):
                pass

    def test_a_file_that_cannot_be_written(self):
        with self.assertRaisesRegex(OSError, "nowhere"):
            corten.Model.from_string(BALL).save("/nowhere/ball.mjb")

    def test_names_that_do_not_exist(self):
        model = corten.Model.from_string(BALL)
        with self.assertRaisesRegex(KeyError, "geom"):
            model.id("geom", "nobody")
        with self.assertRaisesRegex(ValueError, "kind"):
            model.id("wheel", "left")
        with self.assertRaisesRegex(ValueError, "components"):
            model.state_size(1 << 20)


if __name__ == "__main__":
    support.main()
