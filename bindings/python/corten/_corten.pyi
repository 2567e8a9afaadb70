import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union, final

import numpy
from typing_extensions import TypedDict, Unpack

_Numbers = numpy.ndarray  # of a batch on a GPU: _Array
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

@final
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
    def __array__(self, *arguments: Any, **options: Any) -> Any: ...  # refuses
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
    timestep: float
    # sizes and arrays of mjModel: docs/fields.md
    nB: int; nC: int; nD: int; nJfe: int; nJfv: int; nJmom: int; nM: int; na: int; narena: int; nbody: int
    nbuffer: int; nbvh: int; nbvhdynamic: int; nbvhstatic: int; ncam: int; nconmax: int; nemax: int; neq: int
    nexclude: int; nflex: int; nflexedge: int; nflexelem: int; nflexelemdata: int; nflexelemedge: int
    nflexevpair: int; nflexnode: int; nflexshelldata: int; nflextexcoord: int; nflexvert: int; ngeom: int
    ngravcomp: int; nhfield: int; nhfielddata: int; nhistory: int; njmax: int; njnt: int; nkey: int; nlight: int
    nmat: int; nmesh: int; nmeshface: int; nmeshgraph: int; nmeshnormal: int; nmeshpoly: int; nmeshpolymap: int
    nmeshpolyvert: int; nmeshtexcoord: int; nmeshvert: int; nmocap: int; nnames: int; nnames_map: int; nnumeric: int
    nnumericdata: int; noct: int; npair: int; npaths: int; nplugin: int; npluginattr: int; npluginstate: int
    nq: int; nsensor: int; nsensordata: int; nsite: int; nskin: int; nskinbone: int; nskinbonevert: int
    nskinface: int; nskintexvert: int; nskinvert: int; ntendon: int; ntex: int; ntexdata: int; ntext: int
    ntextdata: int; ntree: int; ntuple: int; ntupledata: int; nu: int; nuser_actuator: int; nuser_body: int
    nuser_cam: int; nuser_geom: int; nuser_jnt: int; nuser_sensor: int; nuser_site: int; nuser_tendon: int
    nuserdata: int; nv: int; nwrap: int
    B_colind: _Numbers; B_rowadr: _Numbers; B_rownnz: _Numbers; D_colind: _Numbers; D_diag: _Numbers
    D_rowadr: _Numbers; D_rownnz: _Numbers; M_colind: _Numbers; M_rowadr: _Numbers; M_rownnz: _Numbers
    actuator_acc0: _Numbers; actuator_actadr: _Numbers; actuator_actearly: _Numbers; actuator_actlimited: _Numbers
    actuator_actnum: _Numbers; actuator_actrange: _Numbers; actuator_biasprm: _Numbers; actuator_biastype: _Numbers
    actuator_cranklength: _Numbers; actuator_ctrllimited: _Numbers; actuator_ctrlrange: _Numbers
    actuator_delay: _Numbers; actuator_dynprm: _Numbers; actuator_dyntype: _Numbers; actuator_forcelimited: _Numbers
    actuator_forcerange: _Numbers; actuator_gainprm: _Numbers; actuator_gaintype: _Numbers; actuator_gear: _Numbers
    actuator_group: _Numbers; actuator_history: _Numbers; actuator_historyadr: _Numbers; actuator_length0: _Numbers
    actuator_lengthrange: _Numbers; actuator_plugin: _Numbers; actuator_trnid: _Numbers; actuator_trntype: _Numbers
    actuator_user: _Numbers; body_bvhadr: _Numbers; body_bvhnum: _Numbers; body_conaffinity: _Numbers
    body_contype: _Numbers; body_dofadr: _Numbers; body_dofnum: _Numbers; body_geomadr: _Numbers
    body_geomnum: _Numbers; body_gravcomp: _Numbers; body_inertia: _Numbers; body_invweight0: _Numbers
    body_ipos: _Numbers; body_iquat: _Numbers; body_jntadr: _Numbers; body_jntnum: _Numbers; body_margin: _Numbers
    body_mass: _Numbers; body_mocapid: _Numbers; body_parentid: _Numbers; body_plugin: _Numbers; body_pos: _Numbers
    body_quat: _Numbers; body_rootid: _Numbers; body_sameframe: _Numbers; body_simple: _Numbers
    body_subtreemass: _Numbers; body_treeid: _Numbers; body_user: _Numbers; body_weldid: _Numbers
    bvh_aabb: _Numbers; bvh_child: _Numbers; bvh_depth: _Numbers; bvh_nodeid: _Numbers; cam_bodyid: _Numbers
    cam_fovy: _Numbers; cam_intrinsic: _Numbers; cam_ipd: _Numbers; cam_mat0: _Numbers; cam_mode: _Numbers
    cam_output: _Numbers; cam_pos: _Numbers; cam_pos0: _Numbers; cam_poscom0: _Numbers; cam_projection: _Numbers
    cam_quat: _Numbers; cam_resolution: _Numbers; cam_sensorsize: _Numbers; cam_targetbodyid: _Numbers
    cam_user: _Numbers; dof_M0: _Numbers; dof_Madr: _Numbers; dof_armature: _Numbers; dof_bodyid: _Numbers
    dof_damping: _Numbers; dof_frictionloss: _Numbers; dof_invweight0: _Numbers; dof_jntid: _Numbers
    dof_length: _Numbers; dof_parentid: _Numbers; dof_simplenum: _Numbers; dof_solimp: _Numbers
    dof_solref: _Numbers; dof_treeid: _Numbers; eq_active0: _Numbers; eq_data: _Numbers; eq_obj1id: _Numbers
    eq_obj2id: _Numbers; eq_objtype: _Numbers; eq_solimp: _Numbers; eq_solref: _Numbers; eq_type: _Numbers
    exclude_signature: _Numbers; flex_activelayers: _Numbers; flex_bending: _Numbers; flex_bvhadr: _Numbers
    flex_bvhnum: _Numbers; flex_centered: _Numbers; flex_conaffinity: _Numbers; flex_condim: _Numbers
    flex_contype: _Numbers; flex_damping: _Numbers; flex_dim: _Numbers; flex_edge: _Numbers; flex_edgeadr: _Numbers
    flex_edgedamping: _Numbers; flex_edgeequality: _Numbers; flex_edgeflap: _Numbers; flex_edgenum: _Numbers
    flex_edgestiffness: _Numbers; flex_elem: _Numbers; flex_elemadr: _Numbers; flex_elemdataadr: _Numbers
    flex_elemedge: _Numbers; flex_elemedgeadr: _Numbers; flex_elemlayer: _Numbers; flex_elemnum: _Numbers
    flex_elemtexcoord: _Numbers; flex_evpair: _Numbers; flex_evpairadr: _Numbers; flex_evpairnum: _Numbers
    flex_flatskin: _Numbers; flex_friction: _Numbers; flex_gap: _Numbers; flex_group: _Numbers
    flex_internal: _Numbers; flex_interp: _Numbers; flex_margin: _Numbers; flex_matid: _Numbers; flex_node: _Numbers
    flex_node0: _Numbers; flex_nodeadr: _Numbers; flex_nodebodyid: _Numbers; flex_nodenum: _Numbers
    flex_passive: _Numbers; flex_priority: _Numbers; flex_radius: _Numbers; flex_rgba: _Numbers
    flex_rigid: _Numbers; flex_selfcollide: _Numbers; flex_shell: _Numbers; flex_shelldataadr: _Numbers
    flex_shellnum: _Numbers; flex_size: _Numbers; flex_solimp: _Numbers; flex_solmix: _Numbers
    flex_solref: _Numbers; flex_stiffness: _Numbers; flex_texcoord: _Numbers; flex_texcoordadr: _Numbers
    flex_vert: _Numbers; flex_vert0: _Numbers; flex_vertadr: _Numbers; flex_vertbodyid: _Numbers
    flex_vertedge: _Numbers; flex_vertedgeadr: _Numbers; flex_vertedgenum: _Numbers; flex_vertmetric: _Numbers
    flex_vertnum: _Numbers; flexedge_J_colind: _Numbers; flexedge_J_rowadr: _Numbers; flexedge_J_rownnz: _Numbers
    flexedge_invweight0: _Numbers; flexedge_length0: _Numbers; flexedge_rigid: _Numbers; flexvert_J_colind: _Numbers
    flexvert_J_rowadr: _Numbers; flexvert_J_rownnz: _Numbers; geom_aabb: _Numbers; geom_bodyid: _Numbers
    geom_conaffinity: _Numbers; geom_condim: _Numbers; geom_contype: _Numbers; geom_dataid: _Numbers
    geom_fluid: _Numbers; geom_friction: _Numbers; geom_gap: _Numbers; geom_group: _Numbers; geom_margin: _Numbers
    geom_matid: _Numbers; geom_plugin: _Numbers; geom_pos: _Numbers; geom_priority: _Numbers; geom_quat: _Numbers
    geom_rbound: _Numbers; geom_rgba: _Numbers; geom_sameframe: _Numbers; geom_size: _Numbers; geom_solimp: _Numbers
    geom_solmix: _Numbers; geom_solref: _Numbers; geom_type: _Numbers; geom_user: _Numbers; hfield_adr: _Numbers
    hfield_data: _Numbers; hfield_ncol: _Numbers; hfield_nrow: _Numbers; hfield_pathadr: _Numbers
    hfield_size: _Numbers; jnt_actfrclimited: _Numbers; jnt_actfrcrange: _Numbers; jnt_actgravcomp: _Numbers
    jnt_axis: _Numbers; jnt_bodyid: _Numbers; jnt_dofadr: _Numbers; jnt_group: _Numbers; jnt_limited: _Numbers
    jnt_margin: _Numbers; jnt_pos: _Numbers; jnt_qposadr: _Numbers; jnt_range: _Numbers; jnt_solimp: _Numbers
    jnt_solref: _Numbers; jnt_stiffness: _Numbers; jnt_type: _Numbers; jnt_user: _Numbers; key_act: _Numbers
    key_ctrl: _Numbers; key_mpos: _Numbers; key_mquat: _Numbers; key_qpos: _Numbers; key_qvel: _Numbers
    key_time: _Numbers; light_active: _Numbers; light_ambient: _Numbers; light_attenuation: _Numbers
    light_bodyid: _Numbers; light_bulbradius: _Numbers; light_castshadow: _Numbers; light_cutoff: _Numbers
    light_diffuse: _Numbers; light_dir: _Numbers; light_dir0: _Numbers; light_exponent: _Numbers
    light_intensity: _Numbers; light_mode: _Numbers; light_pos: _Numbers; light_pos0: _Numbers
    light_poscom0: _Numbers; light_range: _Numbers; light_specular: _Numbers; light_targetbodyid: _Numbers
    light_texid: _Numbers; light_type: _Numbers; mapD2M: _Numbers; mapM2D: _Numbers; mapM2M: _Numbers
    mat_emission: _Numbers; mat_metallic: _Numbers; mat_reflectance: _Numbers; mat_rgba: _Numbers
    mat_roughness: _Numbers; mat_shininess: _Numbers; mat_specular: _Numbers; mat_texid: _Numbers
    mat_texrepeat: _Numbers; mat_texuniform: _Numbers; mesh_bvhadr: _Numbers; mesh_bvhnum: _Numbers
    mesh_face: _Numbers; mesh_faceadr: _Numbers; mesh_facenormal: _Numbers; mesh_facenum: _Numbers
    mesh_facetexcoord: _Numbers; mesh_graph: _Numbers; mesh_graphadr: _Numbers; mesh_normal: _Numbers
    mesh_normaladr: _Numbers; mesh_normalnum: _Numbers; mesh_octadr: _Numbers; mesh_octnum: _Numbers
    mesh_pathadr: _Numbers; mesh_polyadr: _Numbers; mesh_polymap: _Numbers; mesh_polymapadr: _Numbers
    mesh_polymapnum: _Numbers; mesh_polynormal: _Numbers; mesh_polynum: _Numbers; mesh_polyvert: _Numbers
    mesh_polyvertadr: _Numbers; mesh_polyvertnum: _Numbers; mesh_pos: _Numbers; mesh_quat: _Numbers
    mesh_scale: _Numbers; mesh_texcoord: _Numbers; mesh_texcoordadr: _Numbers; mesh_texcoordnum: _Numbers
    mesh_vert: _Numbers; mesh_vertadr: _Numbers; mesh_vertnum: _Numbers; name_actuatoradr: _Numbers
    name_bodyadr: _Numbers; name_camadr: _Numbers; name_eqadr: _Numbers; name_excludeadr: _Numbers
    name_flexadr: _Numbers; name_geomadr: _Numbers; name_hfieldadr: _Numbers; name_jntadr: _Numbers
    name_keyadr: _Numbers; name_lightadr: _Numbers; name_matadr: _Numbers; name_meshadr: _Numbers
    name_numericadr: _Numbers; name_pairadr: _Numbers; name_pluginadr: _Numbers; name_sensoradr: _Numbers
    name_siteadr: _Numbers; name_skinadr: _Numbers; name_tendonadr: _Numbers; name_texadr: _Numbers
    name_textadr: _Numbers; name_tupleadr: _Numbers; names_map: _Numbers; numeric_adr: _Numbers
    numeric_data: _Numbers; numeric_size: _Numbers; oct_aabb: _Numbers; oct_child: _Numbers; oct_coeff: _Numbers
    oct_depth: _Numbers; pair_dim: _Numbers; pair_friction: _Numbers; pair_gap: _Numbers; pair_geom1: _Numbers
    pair_geom2: _Numbers; pair_margin: _Numbers; pair_signature: _Numbers; pair_solimp: _Numbers
    pair_solref: _Numbers; pair_solreffriction: _Numbers; plugin: _Numbers; plugin_attradr: _Numbers
    plugin_stateadr: _Numbers; plugin_statenum: _Numbers; qpos0: _Numbers; qpos_spring: _Numbers
    sensor_adr: _Numbers; sensor_cutoff: _Numbers; sensor_datatype: _Numbers; sensor_delay: _Numbers
    sensor_dim: _Numbers; sensor_history: _Numbers; sensor_historyadr: _Numbers; sensor_interval: _Numbers
    sensor_intprm: _Numbers; sensor_needstage: _Numbers; sensor_noise: _Numbers; sensor_objid: _Numbers
    sensor_objtype: _Numbers; sensor_plugin: _Numbers; sensor_refid: _Numbers; sensor_reftype: _Numbers
    sensor_type: _Numbers; sensor_user: _Numbers; site_bodyid: _Numbers; site_group: _Numbers; site_matid: _Numbers
    site_pos: _Numbers; site_quat: _Numbers; site_rgba: _Numbers; site_sameframe: _Numbers; site_size: _Numbers
    site_type: _Numbers; site_user: _Numbers; skin_boneadr: _Numbers; skin_bonebindpos: _Numbers
    skin_bonebindquat: _Numbers; skin_bonebodyid: _Numbers; skin_bonenum: _Numbers; skin_bonevertadr: _Numbers
    skin_bonevertid: _Numbers; skin_bonevertnum: _Numbers; skin_bonevertweight: _Numbers; skin_face: _Numbers
    skin_faceadr: _Numbers; skin_facenum: _Numbers; skin_group: _Numbers; skin_inflate: _Numbers
    skin_matid: _Numbers; skin_pathadr: _Numbers; skin_rgba: _Numbers; skin_texcoord: _Numbers
    skin_texcoordadr: _Numbers; skin_vert: _Numbers; skin_vertadr: _Numbers; skin_vertnum: _Numbers
    tendon_actfrclimited: _Numbers; tendon_actfrcrange: _Numbers; tendon_adr: _Numbers; tendon_armature: _Numbers
    tendon_damping: _Numbers; tendon_frictionloss: _Numbers; tendon_group: _Numbers; tendon_invweight0: _Numbers
    tendon_length0: _Numbers; tendon_lengthspring: _Numbers; tendon_limited: _Numbers; tendon_margin: _Numbers
    tendon_matid: _Numbers; tendon_num: _Numbers; tendon_range: _Numbers; tendon_rgba: _Numbers
    tendon_solimp_fri: _Numbers; tendon_solimp_lim: _Numbers; tendon_solref_fri: _Numbers
    tendon_solref_lim: _Numbers; tendon_stiffness: _Numbers; tendon_treeid: _Numbers; tendon_treenum: _Numbers
    tendon_user: _Numbers; tendon_width: _Numbers; tex_adr: _Numbers; tex_colorspace: _Numbers; tex_data: _Numbers
    tex_height: _Numbers; tex_nchannel: _Numbers; tex_pathadr: _Numbers; tex_type: _Numbers; tex_width: _Numbers
    text_adr: _Numbers; text_size: _Numbers; tree_bodyadr: _Numbers; tree_bodynum: _Numbers; tree_dofadr: _Numbers
    tree_dofnum: _Numbers; tree_sleep_policy: _Numbers; tuple_adr: _Numbers; tuple_objid: _Numbers
    tuple_objprm: _Numbers; tuple_objtype: _Numbers; tuple_size: _Numbers; wrap_objid: _Numbers; wrap_prm: _Numbers
    wrap_type: _Numbers

@final
class Environment:
    number: int
    time: float
    contact: Dict[str, _Numbers]
    # arrays of mjData: docs/fields.md
    M: _Numbers; act: _Numbers; act_dot: _Numbers; actuator_force: _Numbers; actuator_length: _Numbers
    actuator_moment: _Numbers; actuator_velocity: _Numbers; body_awake: _Numbers; body_awake_ind: _Numbers
    bvh_aabb_dyn: _Numbers; bvh_active: _Numbers; cacc: _Numbers; cam_xmat: _Numbers; cam_xpos: _Numbers
    cdof: _Numbers; cdof_dot: _Numbers; cfrc_ext: _Numbers; cfrc_int: _Numbers; cinert: _Numbers; crb: _Numbers
    ctrl: _Numbers; cvel: _Numbers; dof_awake_ind: _Numbers; eq_active: _Numbers; flexedge_J: _Numbers
    flexedge_length: _Numbers; flexedge_velocity: _Numbers; flexelem_aabb: _Numbers; flexvert_J: _Numbers
    flexvert_length: _Numbers; flexvert_xpos: _Numbers; geom_xmat: _Numbers; geom_xpos: _Numbers; history: _Numbers
    light_xdir: _Numbers; light_xpos: _Numbers; mocap_pos: _Numbers; mocap_quat: _Numbers; moment_colind: _Numbers
    moment_rowadr: _Numbers; moment_rownnz: _Numbers; parent_awake_ind: _Numbers; plugin: _Numbers
    plugin_state: _Numbers; qDeriv: _Numbers; qH: _Numbers; qHDiagInv: _Numbers; qLD: _Numbers; qLDiagInv: _Numbers
    qLU: _Numbers; qM: _Numbers; qacc: _Numbers; qacc_smooth: _Numbers; qacc_warmstart: _Numbers
    qfrc_actuator: _Numbers; qfrc_applied: _Numbers; qfrc_bias: _Numbers; qfrc_constraint: _Numbers
    qfrc_damper: _Numbers; qfrc_fluid: _Numbers; qfrc_gravcomp: _Numbers; qfrc_inverse: _Numbers
    qfrc_passive: _Numbers; qfrc_smooth: _Numbers; qfrc_spring: _Numbers; qpos: _Numbers; qvel: _Numbers
    sensordata: _Numbers; site_xmat: _Numbers; site_xpos: _Numbers; subtree_angmom: _Numbers; subtree_com: _Numbers
    subtree_linvel: _Numbers; ten_J: _Numbers; ten_J_colind: _Numbers; ten_J_rowadr: _Numbers
    ten_J_rownnz: _Numbers; ten_length: _Numbers; ten_velocity: _Numbers; ten_wrapadr: _Numbers
    ten_wrapnum: _Numbers; tree_asleep: _Numbers; tree_awake: _Numbers; userdata: _Numbers; wrap_obj: _Numbers
    wrap_xpos: _Numbers; xanchor: _Numbers; xaxis: _Numbers; xfrc_applied: _Numbers; ximat: _Numbers
    xipos: _Numbers; xmat: _Numbers; xpos: _Numbers; xquat: _Numbers

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
    def __getitem__(self, field: str, /) -> _Numbers: ...
    def __enter__(self) -> "Batch": ...
    def __exit__(self, *exception: Any) -> None: ...
    def close(self) -> None: ...
    def view(self, field: str) -> _Numbers: ...
    def get(self, field: str, mask: Optional[_Numbers] = None, out: Optional[_Numbers] = None) -> _Numbers: ...
    def set(self, field: str, values: _Numbers, mask: Optional[_Numbers] = None) -> None: ...
    def get_state(self, components: int = ..., mask: Optional[_Numbers] = None) -> _Numbers: ...
    def set_state(self, states: _Numbers, components: int = ..., mask: Optional[_Numbers] = None) -> None: ...
    def keep(self, field: str) -> _Numbers: ...
    def vary(self, field: str, values: Optional[_Numbers] = None, mask: Optional[_Numbers] = None) -> _Numbers: ...
    def set_const(self, mask: Optional[_Numbers] = None) -> None: ...
    def noise(
        self,
        field: str,
        low: float,
        high: float,
        kind: str = "uniform",
        use: str = "set",
        mask: Optional[_Numbers] = None,
    ) -> None: ...
    def draw(
        self, environment: int, count: int, low: float = 0, high: float = 1, kind: str = "uniform"
    ) -> _Numbers: ...
    def step(self, n: int = 1, mask: Optional[_Numbers] = None) -> None: ...
    def forward(self, mask: Optional[_Numbers] = None, stage: str = "acceleration") -> None: ...
    def wait(self) -> None: ...
    def set_stream(self, stream: int) -> None: ...
    def reset(
        self,
        mask: Optional[_Numbers] = None,
        key: Union[None, int, _Numbers] = None,
        states: Optional[_Numbers] = None,
        components: int = ...,
    ) -> None: ...
    def rollout(
        self,
        controls: Optional[_Numbers] = None,
        nstep: int = 0,
        record: Union[str, Sequence[Union[str, int]]] = "state",
        substeps: int = 1,
        mask: Optional[_Numbers] = None,
        time_first: bool = False,
        components: int = ...,
        out: Optional[Dict[Union[str, int], _Numbers]] = None,
    ) -> Dict[Union[str, int], _Numbers]: ...
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
    def apply(self, function: Callable[[Environment], Any], mask: Optional[_Numbers] = None, save: bool = False) -> None: ...
    def contacts(self, mask: Optional[_Numbers] = None, force: bool = False) -> Dict[str, _Numbers]: ...
    def derivative(
        self,
        which: str = "AB",
        mask: Optional[_Numbers] = None,
        **how: Unpack[_How],
    ) -> Dict[str, _Numbers]: ...
    def derivative_product(
        self,
        dx: Optional[_Numbers] = None,
        du: Optional[_Numbers] = None,
        by_y: Optional[_Numbers] = None,
        mask: Optional[_Numbers] = None,
        **how: Unpack[_How],
    ) -> Dict[str, _Numbers]: ...
    def rollout_product(
        self,
        steps: int,
        controls: Optional[_Numbers] = None,
        dx: Optional[_Numbers] = None,
        du: Optional[_Numbers] = None,
        by_y: Optional[_Numbers] = None,
        checkpoints: int = 0,
        parameters: Optional[Sequence[Tuple[str, int]]] = None,
        mask: Optional[_Numbers] = None,
        **how: Unpack[_How],
    ) -> Dict[str, _Numbers]: ...
    def parameter_derivative(
        self,
        parameters: Sequence[Tuple[str, int]],
        mask: Optional[_Numbers] = None,
        **how: Unpack[_How],
    ) -> Dict[str, _Numbers]: ...
    def forward_derivative(
        self,
        mask: Optional[_Numbers] = None,
        method: str = "hybrid",
        eps: float = 1e-6,
        centred: bool = True,
        smoothing: float = 0,
    ) -> Dict[str, _Numbers]: ...
    def inverse_derivative(
        self,
        qacc: _Numbers,
        less_actuation: bool = False,
        mask: Optional[_Numbers] = None,
        **how: Unpack[_How],
    ) -> Dict[str, _Numbers]: ...
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
    def state(self) -> _Numbers: ...
    @property
    def time(self) -> _Numbers: ...
    @property
    def qpos(self) -> _Numbers: ...
    @property
    def qvel(self) -> _Numbers: ...
    @property
    def act(self) -> _Numbers: ...
    @property
    def ctrl(self) -> _Numbers: ...
    @property
    def sensordata(self) -> _Numbers: ...
    @property
    def status(self) -> _Numbers: ...
    @property
    def reward(self) -> _Numbers: ...
    @property
    def terminated(self) -> _Numbers: ...
    @property
    def truncated(self) -> _Numbers: ...
    @property
    def steps(self) -> _Numbers: ...
