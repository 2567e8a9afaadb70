import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy
from typing_extensions import TypedDict, Unpack

Array = numpy.ndarray  # of a batch on a GPU: _Array
_M = TypeVar("_M", bound="Model")

FAILURES: int  # bits of a status that mean: the step was not made
STATE_TIME: int
STATE_QPOS: int
STATE_QVEL: int
STATE_ACT: int
STATE_HISTORY: int
STATE_WARMSTART: int
STATE_CTRL: int
STATE_QFRC_APPLIED: int
STATE_XFRC_APPLIED: int
STATE_EQ_ACTIVE: int
STATE_MOCAP_POS: int
STATE_MOCAP_QUAT: int
STATE_USERDATA: int
STATE_PLUGIN: int
STATE_PHYSICS: int
STATE_FULLPHYSICS: int
STATE_USER: int
STATE_INTEGRATION: int

class Error(RuntimeError): ...

def version() -> str: ...
def status_names(bits: int) -> List[str]: ...
def derivative_reasons(bits: int) -> List[str]: ...

class _Array:
    """Numbers of a batch in memory of a GPU, for torch.as_tensor, cupy.asarray, jax.dlpack.from_dlpack."""

    @property
    def shape(self) -> Tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...
    def __len__(self) -> int: ...

class _How(TypedDict, total=False):
    """How derivatives are made: "analytic", "differences" or "hybrid"; step and kind of differences; smoothing of contacts."""

    method: str
    eps: float
    centred: bool
    smoothing: float

class Model:
    def __new__(cls: Type[_M], path: Union[str, "os.PathLike[str]"]) -> _M: ...
    @classmethod
    def from_string(cls: Type[_M], xml: str, assets: Dict[str, bytes] = ...) -> _M: ...
    @classmethod
    def from_bytes(cls: Type[_M], data: Any) -> _M: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: Union[str, "os.PathLike[str]"]) -> None: ...
    def id(self, kind: str, name: str) -> int: ...
    def name(self, kind: str, id: int) -> str: ...
    def state_size(self, components: int = ...) -> int: ...
    nq: int
    nv: int
    nu: int
    na: int
    nbody: int
    njnt: int
    ngeom: int
    nsite: int
    ncam: int
    nsensor: int
    nsensordata: int
    nkey: int
    nmocap: int
    neq: int
    ntendon: int
    nuserdata: int
    timestep: float
    def __getattr__(self, name: str) -> Array: ...  # other sizes and arrays of mjModel: docs/fields.md

class Environment:
    number: int
    time: float
    contact: Dict[str, Array]
    def __getattr__(self, name: str) -> Array: ...  # arrays of mjData: docs/fields.md

class Batch:
    def __new__(
        cls,
        model: Model,
        n: int,
        device: str = "cpu",
        *,
        threads: int = 0,
        seed: int = 0,
        max_steps: int = 0,
        reset_key: int = -1,
        arena: int = 0,
        reset_failed: bool = True,
        reset_done: bool = False,
        own_data: bool = False,
        precision: str = "strict",
        post_constraint: bool = False,
        first: int = 0,
    ) -> "Batch": ...
    def __len__(self) -> int: ...
    def __getitem__(self, field: str, /) -> Array: ...
    def __enter__(self) -> "Batch": ...
    def __exit__(self, *exception: Any) -> None: ...
    def close(self) -> None: ...
    def view(self, field: str) -> Array: ...
    def get(self, field: str, mask: Optional[Array] = None, out: Optional[Array] = None) -> Array: ...
    def set(self, field: str, values: Array, mask: Optional[Array] = None) -> None: ...
    def get_state(self, components: int = ..., mask: Optional[Array] = None) -> Array: ...
    def set_state(self, states: Array, components: int = ..., mask: Optional[Array] = None) -> None: ...
    def keep(self, field: str) -> Array: ...
    def vary(self, field: str, values: Optional[Array] = None, mask: Optional[Array] = None) -> Array: ...
    def set_const(self, mask: Optional[Array] = None) -> None: ...
    def noise(
        self,
        field: str,
        low: float,
        high: float,
        kind: str = "uniform",
        use: str = "set",
        mask: Optional[Array] = None,
    ) -> None: ...
    def draw(
        self, environment: int, count: int, low: float = 0, high: float = 1, kind: str = "uniform"
    ) -> Array: ...
    def step(self, n: int = 1, mask: Optional[Array] = None) -> None: ...
    def forward(self, mask: Optional[Array] = None, stage: str = "acceleration") -> None: ...
    def wait(self) -> None: ...
    def set_stream(self, stream: int) -> None: ...
    def reset(
        self,
        mask: Optional[Array] = None,
        key: Union[None, int, Array] = None,
        states: Optional[Array] = None,
        components: int = ...,
    ) -> None: ...
    def rollout(
        self,
        controls: Optional[Array] = None,
        nstep: int = 0,
        record: Union[str, Sequence[Union[str, int]]] = "state",
        substeps: int = 1,
        mask: Optional[Array] = None,
        time_first: bool = False,
        components: int = ...,
        out: Optional[Dict[Union[str, int], Array]] = None,
    ) -> Dict[Union[str, int], Array]: ...
    def failed(self) -> int: ...
    def reason(self, environment: int) -> str: ...
    def counts(self) -> Dict[str, Any]: ...
    def copy(self, source: int, target: int) -> None: ...
    def save(self) -> bytes: ...
    def restore(self, saved: Any) -> None: ...
    def set_hooks(
        self,
        outcome: Optional[Callable[[Environment], Any]] = None,
        start: Optional[Callable[[Environment], Any]] = None,
    ) -> None: ...
    def apply(self, function: Callable[[Environment], Any], mask: Optional[Array] = None, save: bool = False) -> None: ...
    def contacts(self, mask: Optional[Array] = None, force: bool = False) -> Dict[str, Array]: ...
    def derivative(
        self,
        which: str = "AB",
        mask: Optional[Array] = None,
        **how: Unpack[_How],
    ) -> Dict[str, Array]: ...
    def derivative_product(
        self,
        dx: Optional[Array] = None,
        du: Optional[Array] = None,
        by_y: Optional[Array] = None,
        mask: Optional[Array] = None,
        **how: Unpack[_How],
    ) -> Dict[str, Array]: ...
    def rollout_product(
        self,
        steps: int,
        controls: Optional[Array] = None,
        dx: Optional[Array] = None,
        du: Optional[Array] = None,
        by_y: Optional[Array] = None,
        checkpoints: int = 0,
        parameters: Optional[Sequence[Tuple[str, int]]] = None,
        mask: Optional[Array] = None,
        **how: Unpack[_How],
    ) -> Dict[str, Array]: ...
    def parameter_derivative(
        self,
        parameters: Sequence[Tuple[str, int]],
        mask: Optional[Array] = None,
        **how: Unpack[_How],
    ) -> Dict[str, Array]: ...
    def forward_derivative(
        self,
        mask: Optional[Array] = None,
        method: str = "hybrid",
        eps: float = 1e-6,
        centred: bool = True,
        smoothing: float = 0,
    ) -> Dict[str, Array]: ...
    def inverse_derivative(
        self,
        qacc: Array,
        less_actuation: bool = False,
        mask: Optional[Array] = None,
        **how: Unpack[_How],
    ) -> Dict[str, Array]: ...
    @property
    def closed(self) -> bool: ...
    @property
    def model(self) -> Model: ...
    @property
    def n(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def device(self) -> str: ...
    @property
    def state(self) -> Array: ...
    @property
    def time(self) -> Array: ...
    @property
    def qpos(self) -> Array: ...
    @property
    def qvel(self) -> Array: ...
    @property
    def act(self) -> Array: ...
    @property
    def ctrl(self) -> Array: ...
    @property
    def sensordata(self) -> Array: ...
    @property
    def status(self) -> Array: ...
    @property
    def reward(self) -> Array: ...
    @property
    def terminated(self) -> Array: ...
    @property
    def truncated(self) -> Array: ...
    @property
    def steps(self) -> Array: ...
