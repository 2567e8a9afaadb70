"""Whatever Python passes in, the answer is an exception that names the argument, never a crash (R10.5)."""

import gc
import os
import subprocess
import sys
import threading
import unittest

import support
import corten
import numpy as np

MODEL = corten.Model(support.model_path("humanoid"))
N, NU = 4, MODEL.nu


class Arrays(unittest.TestCase):

    def setUp(self):
        self.batch = corten.Batch(MODEL, N)

    def refuses(self, exception, words, function, *arguments, **options):
        before = self.batch.save()
        with self.assertRaisesRegex(exception, words):
            function(*arguments, **options)
        self.assertEqual(self.batch.save(), before)

    def test_shapes(self):
        b = self.batch
        for shape in ((N, NU + 1), (N + 1, NU), (NU, N), (N * NU,), (1, N, NU), ()):
            self.refuses(ValueError, "^values: the shape", b.set, "ctrl", np.zeros(shape))
        self.refuses(ValueError, "^mask", b.step, 1, np.ones(N + 1, bool))
        self.refuses(ValueError, "^mask", b.step, 1, np.ones((N, 2), bool))
        self.refuses(ValueError, "^out", b.get, "ctrl", out=np.zeros((N, 1)))
        self.refuses(ValueError, "^states", b.reset, states=np.zeros((N, 3)))
        self.refuses(ValueError, "^states", b.set_state, np.zeros((N, 3)))
        self.refuses(ValueError, "^controls", b.rollout, np.zeros((N, NU)))
        self.refuses(ValueError, "^controls", b.rollout, np.zeros((N, 5, NU)), time_first=True)
        self.refuses(ValueError, "^controls", b.rollout, np.zeros((N, 5, NU)), nstep=4)
        self.refuses(ValueError, "^key", b.reset, key=np.zeros(N + 1, np.int32))
        self.refuses(ValueError, "^out", b.rollout, nstep=2, record="qpos", out={"qpos": np.zeros((N, 3, MODEL.nq))})
        self.refuses(ValueError, "^out", b.rollout, nstep=2, record="qpos", out={"qvel": np.zeros((N, 2, MODEL.nv))})
        self.refuses(TypeError, "^out", b.rollout, nstep=2, record="qpos", out=np.zeros((N, 2, MODEL.nq)))

    def test_types(self):
        b = self.batch
        for dtype in (np.float32, np.int64, np.complex128, ">f8", object, "S8", bool):
            self.refuses(TypeError, "^values: .*float64", b.set, "ctrl", np.zeros((N, NU), dtype))
        for other in (None, 1, "text", [[0.0] * NU] * N, object()):
            self.refuses(TypeError, "^values", b.set, "ctrl", other)
        self.refuses(TypeError, "^mask", b.step, 1, np.ones(N))
        self.refuses(TypeError, "^mask", b.step, 1, [True] * N)
        self.refuses(TypeError, "^key", b.reset, key=np.zeros(N))
        self.refuses(TypeError, "^key", b.reset, key="first")
        self.refuses(TypeError, "^key, states", b.reset, key=0, states=b.get_state())
        self.refuses(TypeError, "", b.step, "three")
        self.refuses(TypeError, "by name", lambda: b[0])

    def test_arrays_in_pieces(self):
        b = self.batch
        for pieces in (np.zeros((NU, N)).T, np.zeros((N, 2 * NU))[:, ::2], np.zeros((N, NU))[:, ::-1]):
            self.refuses(ValueError, "^values: .*ascontiguousarray", b.set, "ctrl", pieces)
        self.refuses(ValueError, "^mask", b.step, 1, np.ones(2 * N, bool)[::2])
        read_only = np.zeros((N, NU))
        read_only.flags.writeable = False
        self.refuses(ValueError, "^out", b.get, "ctrl", out=read_only)
        b.set("ctrl", read_only)

    def test_numbers_and_names(self):
        b = self.batch
        self.refuses(ValueError, "^n: ", b.step, 0)
        self.refuses(ValueError, "did you mean \"qpos\"", lambda: b["qposs"])
        self.refuses(ValueError, "keep", lambda: b["xpos"])
        self.refuses(ValueError, "arena", lambda: b["efc_force"])
        self.refuses(ValueError, "structure", b.vary, "body_parentid")
        self.refuses(ValueError, "^key", b.reset, key=99)
        self.refuses(ValueError, "^key", b.reset, key=-2)
        self.refuses(ValueError, "", b.reset, key=np.full(N, 99, np.int32))
        self.refuses(ValueError, "^components", b.get_state, 1 << 30)
        self.refuses(ValueError, "^components", b.rollout, np.zeros((N, 2, NU)), components=corten.STATE_QPOS)
        self.refuses(ValueError, "^record", b.rollout, nstep=2, record=(1 << 30,))
        self.refuses(ValueError, "no field", b.rollout, nstep=2, record=("nothing",))
        self.refuses(ValueError, "nstep", b.rollout)
        self.refuses(ValueError, "substeps", b.rollout, nstep=1, substeps=-1)
        self.refuses(ValueError, "^stage", b.forward, stage="end")
        self.refuses(ValueError, "^kind", b.noise, "ctrl", 0, 1, kind="pink")
        self.refuses(ValueError, "^use", b.noise, "ctrl", 0, 1, use="twice")
        self.refuses(IndexError, "^environment", b.reason, N)
        self.refuses(IndexError, "^environment", b.draw, -1, 3)
        self.refuses(IndexError, "^target", b.copy, 0, N)
        self.refuses(OverflowError, "^n: 1099511627776 is out of range", b.step, 1 << 40)
        self.refuses(OverflowError, "^environment: ", b.reason, 1 << 31)
        self.refuses(OverflowError, "^target: ", b.copy, 0, -(1 << 31) - 1)
        self.refuses(OverflowError, "^substeps: ", b.rollout, nstep=1, substeps=2**70)
        self.refuses(TypeError, "^n: .*integer, not 'three'", b.step, "three")
        self.refuses(TypeError, "^low: .*a number", b.noise, "ctrl", "zero", 1)
        self.refuses(TypeError, "^field: .*str, not 3", b.get, 3)
        self.refuses(ValueError, "^field: .*null", b.get, "qpos\0x")
        self.refuses(ValueError, "^field: .*null", lambda: b["qpos\0x"])
        self.refuses(ValueError, "^record: .*null", b.rollout, nstep=1, record="qpos\0x")
        self.refuses(ValueError, "^assets: .*null", corten.Model.from_string, "<mujoco/>", {"a\0b": b"x"})
        self.refuses(ValueError, "^record: ", b.rollout, nstep=1, record=(2**70,))
        self.refuses(ValueError, "^key: there is no keyframe 1180591620717411303424", b.reset, key=2**70)
        self.refuses(ValueError, "^seed: .*not -1", corten.Batch, MODEL, 2, seed=-1)
        self.refuses(ValueError, "^seed: ", corten.Batch, MODEL, 2, seed=2**64)
        self.refuses(TypeError, "^seed: ", corten.Batch, MODEL, 2, seed=1.5)
        self.assertEqual(corten.Batch(MODEL, 2, seed=np.uint64(2**64 - 1)).seed, 2**64 - 1)
        self.refuses(ValueError, "^saved: ", b.restore, corten.Batch(MODEL, N + 1).save())
        self.refuses(ValueError, "^path: ", corten.Model, "a\0b")
        self.refuses(TypeError, "^path: ", corten.Model, 3)
        self.refuses(ValueError, "^path: .*surrogate", corten.Model, "\ud800")

        class Path:
            def __fspath__(self):
                raise OSError(5, "is gone")

        self.refuses(OSError, "Errno 5. is gone", corten.Model, Path())
        self.refuses(TypeError, "^path: ", MODEL.save, None)
        self.refuses(OverflowError, "^bits: ", corten.status_names, 2**70)
        self.refuses(TypeError, "^bits: ", corten.derivative_reasons, "x")
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            if file.read().strip() != "1":  # else the system promises whatever is asked for
                self.refuses(MemoryError, "no memory for an array of", b.rollout, nstep=2**31 - 1)
        self.refuses(ValueError, "bytes", b.restore, b.save() + b"x")
        for saved in (b"", b"abc", bytes(1000), b.save()[:-1]):
            self.refuses(ValueError, "", b.restore, saved)
        self.refuses(TypeError, "^saved", b.restore, 5)

    def test_integers_are_read_only_and_looked_at(self):
        b = self.batch
        with self.assertRaises(ValueError):
            b.status[0] = 1
        b.keep("ncon")
        with self.assertRaisesRegex(ValueError, "result of a step"):
            b.set("ncon", np.zeros((N, 1), np.int32))

    def test_batches_that_cannot_be(self):
        for arguments, words in (((MODEL, 0), "^n: .*at least one"), ((MODEL, -1), "^n: .*at least one"),
                                 ((MODEL, 2, "tpu"), "^device"), ((MODEL, 2, "cuda:"), "^device"),
                                 ((MODEL, 2, "cuda:x"), "^device")):
            with self.assertRaisesRegex(ValueError, words):
                corten.Batch(*arguments)
        for option, value in (("threads", -1), ("reset_key", 99), ("max_steps", -1), ("arena", -1)):
            with self.assertRaisesRegex(ValueError, "^" + option):
                corten.Batch(MODEL, 2, **{option: value})
        with self.assertRaisesRegex(ValueError, "^precision"):
            corten.Batch(MODEL, 2, precision="double")
        with self.assertRaisesRegex(MemoryError, "^n: "):
            corten.Batch(MODEL, 2**31 - 1)
        with self.assertRaises(TypeError):
            corten.Batch("model", 2)


    def test_a_keyframe_may_be_a_number_of_numpy(self):
        model = corten.Model.from_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody>"
                                         "<keyframe><key qpos='0.25'/></keyframe></mujoco>")
        b = corten.Batch(model, 2)
        for key in (np.int64(0), np.int32(0), np.array(0), np.zeros(2, np.int32)):
            b.qpos[:] = 1
            b.reset(key=key)
            self.assertEqual(b.qpos.ravel().tolist(), [0.25, 0.25])
        with self.assertRaisesRegex(ValueError, "^key: "):
            b.reset(key=np.int64(1))

    def test_no_message_has_the_name_of_a_c_function(self):
        b = self.batch
        for call in (lambda: b.restore(b"abc"), lambda: b.rollout(nstep=1, substeps=-1), lambda: b.set_stream(0),
                     lambda: corten.Batch(MODEL, 0), lambda: b.reset(key=np.full(N, 99, np.int32)),
                     lambda: b.apply(lambda environment: b.step()), lambda: corten.Batch(MODEL, 2, threads=-1),
                     lambda: b.keep("body_mass"), lambda: b.get("cvel"), lambda: b.vary("geom_type"), lambda: b.view("cvel")):
            with self.assertRaises((ValueError, NotImplementedError)) as caught:
                call()
            self.assertNotRegex(str(caught.exception), r"ct_batch_|\(b,")
        with self.assertRaisesRegex(ValueError, r'keep\("cvel"\)'):
            b.get("cvel")

    def test_a_model_that_is_none_and_a_text_that_is_none_are_named(self):
        for bad in ("humanoid.xml", None, 3):
            self.refuses(TypeError, "^model: .*corten.Model", corten.Batch, bad, 2)
        self.refuses(ValueError, "^field: ", self.batch.get, "qpos\udc80")

    def test_dates_are_named(self):
        self.refuses((TypeError, BufferError), "^values: ", self.batch.set, "ctrl", np.zeros((N, NU), "M8[ns]"))


class Anything(unittest.TestCase):

    def test_every_method_survives_every_argument(self):
        """Random arguments of the wrong and of the right kind. What is asked is an answer or an exception."""
        import itertools
        import random
        random = random.Random(4)
        model = corten.Model(support.model_path("pendulum"))
        n = 3
        pool = [None, -1, 0, 1, 2**31, 2**70, 1.5, float("nan"), "", "qpos", "xpos", "body_mass", "A", "position", b"", b"ab",
                (), [], {}, object(), int, np.zeros(0), np.zeros(n), np.zeros((n, 1)), np.zeros((n, model.nq)),
                np.ones(n, bool), np.full((n, 2, model.nu), np.inf), np.zeros((n, 2, model.nu), np.float32),
                np.zeros((2, 2, 2, 2)), np.array(3.0), np.zeros(n, np.int32), memoryview(b"abc"), [("dof_damping", 0)],
                ("qpos", 1), lambda: 1]
        skipped = {"set_stream"}  # takes an address
        for kind, make in ((corten.Batch, lambda: corten.Batch(model, n, threads=2)), (corten.Model, lambda: model)):
            names = [name for name in dir(kind) if not name.startswith("_") and name not in skipped]
            one = make()
            for name, count in itertools.product(names, range(40)):
                if kind is corten.Batch and one.closed:
                    one = make()
                method = getattr(one, name)
                if not callable(method):
                    continue
                if name == "save" and kind is corten.Model:
                    continue  # would write files
                arguments = [random.choice(pool) for _ in range(random.randrange(4))]
                try:
                    method(*arguments)
                except ImportError:
                    self.assertEqual(name, "to_mujoco")  # the one that needs another package
                except (TypeError, ValueError, IndexError, KeyError, OverflowError, NotImplementedError, corten.Error,
                        OSError, UnicodeError, MemoryError, RuntimeWarning):
                    pass
        for _ in range(200):
            for kind in (corten.Batch, corten.Model):
                try:
                    kind(*[random.choice(pool + [model]) for _ in range(random.randrange(4))])
                except (TypeError, ValueError, OverflowError, OSError, MemoryError, corten.Error):
                    pass


class Lives(unittest.TestCase):

    def test_an_array_outlives_its_batch(self):
        b = corten.Batch(MODEL, N)
        qpos, part = b.qpos, b.state[1:3, 4]
        before = qpos.copy()
        del b
        gc.collect()
        self.assertTrue(np.array_equal(qpos, before))
        qpos[:] = 1
        part[:] = 2
        self.assertEqual(qpos.max(), 2)

    def test_a_closed_batch_refuses_and_its_arrays_stay(self):
        with corten.Batch(MODEL, N) as b:
            qpos = b.qpos
        self.assertTrue(b.closed)
        for call in (b.step, b.forward, b.reset, b.save, b.counts, b.failed, lambda: b.qpos, lambda: b.threads,
                     lambda: b.get("qpos"), lambda: b.rollout(nstep=1), lambda: b.keep("xpos")):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        qpos[:] = 0.5
        b.close()
        self.assertIn("closed", repr(b))
        self.assertEqual(len(b), N)

    def test_a_batch_is_closed_while_it_steps(self):
        for _ in range(5):
            b = corten.Batch(MODEL, N)
            qpos = b.qpos

            def work():
                try:
                    while True:
                        b.step(20)
                except ValueError:
                    pass

            workers = [threading.Thread(target=work) for _ in range(3)]
            for worker in workers:
                worker.start()
            b.close()
            for worker in workers:
                worker.join()
            self.assertTrue(np.isfinite(qpos).all())

    def test_a_fork_is_told_that_its_threads_are_gone(self):
        b = corten.Batch(MODEL, N, threads=2)
        b.step()
        child = os.fork()
        if not child:
            try:
                b.step()
            except RuntimeError as error:
                fine = "fork" in str(error)
                del b
                gc.collect()
                own = corten.Batch(MODEL, N, threads=2)
                own.step()
                os._exit(0 if fine else 1)
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        b.step()

    def test_memory_does_not_grow(self):
        import resource
        model = corten.Model(support.model_path("pendulum"))
        controls = np.zeros((8, 4, model.nu))

        def use():
            for _ in range(100):
                b = corten.Batch(model, 8, threads=1)
                b.rollout(controls, nstep=4, record=("qpos", "state"))
                b.get("qpos")
                b.restore(b.save())
                b.keep("xpos")
                for bad in ((3,), np.zeros(3)):
                    try:
                        b.set("qpos", bad)
                    except (TypeError, ValueError):
                        pass
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        use()
        before = use()
        self.assertLess(use() - before, 2000, "kB that 100 batches left behind")

    def test_an_error_of_the_library_does_not_end_the_interpreter(self):
        code = ("import corten\n"
                "try:\n"
                "    corten.Model.from_bytes(bytes(500))\n"
                "except ValueError:\n"
                "    print('alive')\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "alive\n"), done.stderr)


if __name__ == "__main__":
    support.main()
