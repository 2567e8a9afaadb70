// What each library registers when it is opened: one function for each plugin.

#ifndef PLUGIN_PLUGINS_H_
#define PLUGIN_PLUGINS_H_

void register_pid(void);         // pid.c
void register_cable(void);       // cable.c
void register_touch_grid(void);  // touch_grid.c
void register_torus(void);       // torus.c
void register_bowl(void);        // bowl.c
void register_bolt(void);        // screw.c
void register_nut(void);         // screw.c
void register_gear(void);        // gear.c
void register_stl(void);         // stl.c, a decoder
void register_obj(void);         // obj.c, a decoder

#endif  // PLUGIN_PLUGINS_H_
