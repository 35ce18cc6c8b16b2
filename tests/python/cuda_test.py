# SPDX-License-Identifier: MIT
"""Simulations on a GPU: skipped without one, unless ORRERY_REQUIRE_GPU is set, which makes them fail."""
import ctypes
import os
import pickle
import unittest

import numpy as np

import orrery
from support import direct_sum, gpu_available, relative_error, some_bodies

NEEDED = bool(os.environ.get("ORRERY_REQUIRE_GPU"))


class DlTensor(ctypes.Structure):
    """DLTensor as declared in dlpack.h."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


def tensor_of(capsule):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(get(capsule, b"dltensor"), ctypes.POINTER(DlTensor)).contents


@unittest.skipUnless(gpu_available() or NEEDED, "no GPU that CUDA engines can use")
class Cuda(unittest.TestCase):
    def simulation(self, count=1000, engine="direct", **more):
        return orrery.Simulation(orrery.scene("plummer", bodies=count), engine, backend="cuda", **more)

    def test_arrays_are_on_the_device(self):
        for precision, type in (("single", "<f4"), ("double", "<f8")):
            sim = self.simulation(precision=precision)
            size = np.dtype(type).itemsize
            where = {}
            for name in ("positions", "velocities", "masses", "accelerations"):
                array = getattr(sim, name)
                self.assertIsInstance(array, orrery.DeviceArray)
                said = array.__cuda_array_interface__
                rows = name != "masses"
                self.assertEqual((said["shape"], said["strides"], said["typestr"], said["version"]),
                                 ((1000, 3) if rows else (1000,), (4 * size, size) if rows else (4 * size,), type, 3))
                where[name] = said["data"][0]
                self.assertTrue(said["data"][1])
                self.assertEqual((array.shape, array.dtype, len(array)), (said["shape"], np.dtype(type), 1000))
            self.assertEqual(where["masses"], where["positions"] + 3 * size)
            sim.step(40)
            self.assertEqual(sim.positions.__cuda_array_interface__["data"][0], where["positions"])

    def test_dlpack(self):
        sim = self.simulation()
        array = sim.positions
        self.assertEqual(array.__dlpack_device__(), (2, 0))
        capsule = array.__dlpack__()  # owns the tensor
        tensor = tensor_of(capsule)
        self.assertEqual((tensor.data, tensor.device_type, tensor.device_id, tensor.ndim, tensor.code, tensor.bits, tensor.lanes),
                         (array.__cuda_array_interface__["data"][0], 2, 0, 2, 2, 32, 1))
        self.assertEqual((tensor.shape[0], tensor.shape[1], tensor.strides[0], tensor.strides[1]), (1000, 3, 4, 1))
        for _ in range(1000):  # unconsumed capsules are freed
            array.__dlpack__(stream=None)

    def test_other_libraries_read_the_numbers(self):
        """CuPy, PyTorch or Numba, whichever is installed."""
        sim = self.simulation()
        wanted = sim.positions.numpy()
        seen = 0
        try:
            import cupy
            np.testing.assert_array_equal(cupy.asnumpy(cupy.asarray(sim.positions)), wanted)
            np.testing.assert_array_equal(cupy.asnumpy(cupy.from_dlpack(sim.positions)), wanted)
            seen += 1
        except ImportError:
            pass
        try:
            import torch
            np.testing.assert_array_equal(torch.from_dlpack(sim.positions).cpu().numpy(), wanted)
            seen += 1
        except ImportError:
            pass
        try:
            from numba import cuda
            np.testing.assert_array_equal(cuda.as_cuda_array(sim.positions).copy_to_host(), wanted)
            seen += 1
        except ImportError:
            pass
        if not seen:
            self.skipTest("neither CuPy nor PyTorch nor Numba is installed")

    def test_copies_on_the_host(self):
        x, v, m = some_bodies(200)
        sim = orrery.Simulation(orrery.Scene(x, v, m, softening=0.1), "direct", backend="cuda", precision="double")
        np.testing.assert_array_equal(sim.positions.numpy(), x)
        np.testing.assert_array_equal(np.asarray(sim.velocities), v)
        np.testing.assert_array_equal(np.asarray(sim.masses, dtype=np.float32), m.astype(np.float32))
        self.assertLess(relative_error(sim.accelerations.numpy(), direct_sum(x, m, softening=0.1)), 1e-12)

    def test_outlive_simulation_and_engine(self):
        sim = self.simulation()
        seen, wanted = sim.positions, sim.positions.numpy()
        sim.set_engine("tree")
        sim.step(5)
        np.testing.assert_array_equal(seen.numpy(), wanted)
        sim.close()
        np.testing.assert_array_equal(seen.numpy(), wanted)
        self.assertGreater(np.abs(wanted).max(), 0)

    def test_queued_steps_have_the_bits_of_single_ones(self):
        whole, single = self.simulation(), self.simulation()
        whole.step(300)
        for _ in range(300):
            single.step()
        np.testing.assert_array_equal(whole.positions.numpy(), single.positions.numpy())

    def test_agrees_with_the_cpu_and_moves_to_it(self):
        sim = self.simulation(precision="double")
        other = orrery.Simulation(orrery.scene("plummer", bodies=1000), "direct", backend="cpu", precision="double")
        sim.step(10), other.step(10)
        np.testing.assert_allclose(sim.positions.numpy(), other.positions, rtol=1e-9, atol=1e-12)
        sim.set_engine(backend="cpu")
        self.assertIsInstance(sim.positions, np.ndarray)
        sim.step(5), other.step(5)
        np.testing.assert_allclose(sim.positions, other.positions, rtol=1e-9, atol=1e-12)

    def test_pickles_pictures_energies(self):
        sim = self.simulation(engine="tree")
        sim.step(3)
        again = pickle.loads(pickle.dumps(sim))
        sim.step(4), again.step(4)
        np.testing.assert_array_equal(sim.positions.numpy(), again.positions.numpy())
        self.assertGreater(int(sim.render(160, 90)[:, :, :3].max()), 100)
        self.assertGreater(int(sim.render(160, 90, color_mode="potential", octree=True)[:, :, :3].max()), 100)
        self.assertAlmostEqual(sim.energies().total, -0.25, 1)
        self.assertLess(sim.error().rms, 3e-3)

    def test_state_is_set(self):
        sim = self.simulation(count=50, precision="double")
        x, v, m = some_bodies(50)
        sim.set_state(positions=x, velocities=v, masses=m)
        np.testing.assert_array_equal(sim.positions.numpy(), x)
        sim.step()


@unittest.skipIf(gpu_available(), "there is a GPU")
class WithoutGpu(unittest.TestCase):
    def test_is_refused_with_the_reason(self):
        with self.assertRaisesRegex(orrery.MachineError, "cannot run on cuda"):
            orrery.Simulation(orrery.scene("plummer", bodies=10), backend="cuda")


if __name__ == "__main__":
    unittest.main()
