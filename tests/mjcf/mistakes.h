// Models that the tables of mistakes (mistakes.def, refusals.def, urdf.def) are written in.

#ifndef TESTS_MJCF_MISTAKES_H_
#define TESTS_MJCF_MISTAKES_H_

#define IN(x_) "<mujoco>" x_ "</mujoco>"
#define WORLD(x_) IN("<worldbody>" x_ "</worldbody>")
#define BODY(x_) WORLD("<body>" x_ "</body>")

#define ROBOT(x_) "<robot name='r'>" x_ "</robot>"

#define TETRA "<mesh name='tetra' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
#define ASSET(x_) IN("<asset>" TETRA x_ "</asset>")

// Joints h (hinge), slide, bj (ball), fj (free) of the bodies b, c, d, e; geoms ball, cyl, box,
// lone and hill; sites s, s2, s3; a tendon, a camera, two meshes and a height field.
#define MODEL(x_)                                                                            \
  IN("<asset>" TETRA                                                                         \
     "<mesh name='cube' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 0 1 0 1 0 1 1 1 1 1'/>"          \
     "<hfield name='hill' size='1 1 1 1' nrow='1' ncol='1'/></asset>"                        \
     "<worldbody><geom name='hill' type='hfield' hfield='hill'/>"                            \
     "<body name='b'><joint name='h'/><geom name='ball' size='.1'/>"                         \
     "<site name='s'/><site name='s2' pos='.1 0 0'/><camera name='cam'/></body>"             \
     "<body name='c' pos='1 0 0'><joint name='slide' type='slide'/>"                         \
     "<geom name='cyl' type='cylinder' size='.1 .1'/><site name='s3'/></body>"               \
     "<body name='d' pos='2 0 0'><joint name='bj' type='ball'/>"                             \
     "<geom name='box' type='box' size='.1 .1 .1'/></body>"                                  \
     "<body name='e' pos='3 0 0'><freejoint name='fj'/><geom name='lone' size='.1'/></body>" \
     "</worldbody><tendon><fixed name='ten'><joint joint='h' coef='1'/></fixed></tendon>" x_)

// Four bodies with three sliding joints each, the corners of a tetrahedron.
#define FLEX_BODY(name_, pos_)                                                                  \
  "<body name='" name_ "' pos='" pos_                                                           \
  "'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide'/>" \
  "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"
#define FLEX(attributes_, inside_, behind_)                                                        \
  IN("<worldbody>" FLEX_BODY("a", "0 0 0") FLEX_BODY("b", "1 0 0") FLEX_BODY("c", "0 1 0")         \
         FLEX_BODY("d", "0 0 1") "</worldbody><deformable><flex name='f' " attributes_ ">" inside_ \
                                 "</flex></deformable>" behind_)
#define FLEXCOMP(attributes_, inside_) \
  WORLD("<flexcomp name='f' " attributes_ ">" inside_ "</flexcomp>")

#endif  // TESTS_MJCF_MISTAKES_H_
