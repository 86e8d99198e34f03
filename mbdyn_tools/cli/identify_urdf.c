// What `mbdyn identify` found, as a robot description: the old one with other numbers in it.
#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#include "identify_report.h"
#include "mbdyn/spatial.h"
#include "robot_options.h"
#include "text.h"

//---------- XML ----------

static const char *
attribute(const xmlNode * node, const char * name)
{
  for (const xmlAttr * a = node->properties; a; a = a->next) {
    if (strcmp((const char *)a->name, name) == 0 && a->children) {
      return (const char *)a->children->content;
    }
  }
  return "";
}

static bool
is_element(const xmlNode * node, const char * name)
{
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *
find_child(xmlNode * parent, const char * name)
{
  for (xmlNode * n = parent->children; n; n = n->next) {
    if (is_element(n, name)) return n;
  }
  return NULL;
}

// an element of the robot by kind and name
static xmlNode *
find_named(xmlNode * root, const char * kind, const char * name)
{
  for (xmlNode * n = root->children; n; n = n->next) {
    if (is_element(n, kind) && strcmp(attribute(n, "name"), name) == 0) return n;
  }
  return NULL;
}

static void
set_text(xmlNode * node, const char * name, const char * value)
{
  xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)value);
}

static void
set_number(xmlNode * node, const char * name, double x)
{
  char text[40];
  snprintf(text, sizeof text, "%.12g", x + 0.0);
  set_text(node, name, text);
}

// a line break and blanks before the next child
static void
add_indent(xmlNode * parent, int depth)
{
  char text[20];
  snprintf(text, sizeof text, "\n%*s", 2 * depth, "");
  xmlAddChild(parent, xmlNewText((const xmlChar *)text));
}

static xmlNode *
add_element(xmlNode * parent, int depth, const char * name)
{
  add_indent(parent, depth);
  return xmlNewChild(parent, NULL, (const xmlChar *)name, NULL);
}

static void
add_comment(xmlNode * before, const char * text)
{
  xmlAddPrevSibling(before, xmlNewComment((const xmlChar *)text));
}

//---------- links ----------

// an empty <inertial> of a link, where the old one was
static xmlNode *
empty_inertial(xmlNode * link)
{
  xmlNode * inertial = find_child(link, "inertial");
  while (inertial && inertial->children) {
    xmlNode * child = inertial->children;
    xmlUnlinkNode(child);
    xmlFreeNode(child);
  }
  if (!inertial) {
    if (!link->children) add_indent(link, 1);
    inertial = xmlNewNode(NULL, (const xmlChar *)"inertial");
    xmlAddPrevSibling(link->children, inertial);
    xmlAddPrevSibling(inertial, xmlNewText((const xmlChar *)"\n    "));
  }
  return inertial;
}

static void
write_inertial(xmlNode * link, const double * t)
{
  const mbd_inertia_t M = {t[0], {t[1], t[2], t[3]}, {t[4], t[5], t[6], t[7], t[8], t[9]}};
  const mbd_sym3_t I = mbdu_inertia_about_com(&M);
  char xyz[120];
  snprintf(
    xyz, sizeof xyz, "%.12g %.12g %.12g", t[1] / t[0] + 0.0, t[2] / t[0] + 0.0, t[3] / t[0] + 0.0);
  xmlNode * inertial = empty_inertial(link);
  xmlNode * origin = add_element(inertial, 3, "origin");
  set_text(origin, "xyz", xyz);
  set_text(origin, "rpy", "0 0 0");
  set_number(add_element(inertial, 3, "mass"), "value", t[0]);
  xmlNode * inertia = add_element(inertial, 3, "inertia");
  set_number(inertia, "ixx", I.xx);
  set_number(inertia, "ixy", I.xy);
  set_number(inertia, "ixz", I.xz);
  set_number(inertia, "iyy", I.yy);
  set_number(inertia, "iyz", I.yz);
  set_number(inertia, "izz", I.zz);
  add_indent(inertial, 2);
}

// a link that a fixed joint carries: its mass is in the body above it
static void
drop_inertial(xmlNode * link, const char * body)
{
  xmlNode * inertial = find_child(link, "inertial");
  if (!inertial) return;
  char text[400];
  snprintf(text, sizeof text, " mbdyn identify: the inertia is included in link %.256s ", body);
  // two hyphens would end the comment
  for (char * c = text; (c = strstr(c, "--")); c++) c[1] = '_';
  add_comment(inertial, text);
  xmlUnlinkNode(inertial);
  xmlFreeNode(inertial);
}

static void
write_links(xmlNode * root, const identify_result_t * result)
{
  const mbd_model_t * model = result->model;
  for (int k = 0; k < model->nframe; k++) {
    const int i = model->frame[k].body;
    xmlNode * link = i >= 0 ? find_named(root, "link", model->frame[k].name) : NULL;
    if (!link) continue;
    if (model->body[i].link_frame == k) {
      write_inertial(link, result->theta + TEN * i);
    } else {
      drop_inertial(link, model->body[i].name);
    }
  }
}

//---------- drives ----------

static void
write_friction(xmlNode * root, const char * joint_name, const double * three)
{
  xmlNode * joint = find_named(root, "joint", joint_name);
  if (!joint) return;
  xmlNode * dynamics = find_child(joint, "dynamics");
  if (!dynamics) {
    // before the line break that ends the joint
    dynamics = xmlNewNode(NULL, (const xmlChar *)"dynamics");
    xmlAddChild(joint, xmlNewText((const xmlChar *)"  "));
    xmlAddChild(joint, dynamics);
    add_indent(joint, 1);
  }
  set_number(dynamics, "damping", three[0]);
  set_number(dynamics, "friction", three[1]);
}

// the transmission that drives a joint
static xmlNode *
find_transmission(xmlNode * root, const char * joint_name)
{
  for (xmlNode * n = root->children; n; n = n->next) {
    xmlNode * joint = is_element(n, "transmission") ? find_child(n, "joint") : NULL;
    if (joint && strcmp(attribute(joint, "name"), joint_name) == 0) return n;
  }
  return NULL;
}

static xmlNode *
new_transmission(xmlNode * root, const char * joint_name)
{
  char name[300];
  xmlNode * transmission = add_element(root, 1, "transmission");
  snprintf(name, sizeof name, "%.256s_transmission", joint_name);
  set_text(transmission, "name", name);
  xmlNode * type = add_element(transmission, 2, "type");
  xmlAddChild(type, xmlNewText((const xmlChar *)"SimpleTransmission"));
  set_text(add_element(transmission, 2, "joint"), "name", joint_name);
  snprintf(name, sizeof name, "%.256s_motor", joint_name);
  set_text(add_element(transmission, 2, "actuator"), "name", name);
  add_indent(transmission, 1);
  add_indent(root, 0);
  return transmission;
}

static void
write_rotor(xmlNode * root, xmlNs * drake, const mbd_body_t * body, double reflected)
{
  xmlNode * transmission = find_transmission(root, body->joint_name);
  if (!transmission) transmission = new_transmission(root, body->joint_name);
  xmlNode * at = find_child(transmission, "actuator");
  if (!at) at = transmission;
  xmlNode * rotor = find_child(at, "rotor_inertia");
  if (!rotor) rotor = find_child(transmission, "rotor_inertia");
  if (!rotor) {
    add_indent(at, 3);
    rotor = xmlNewChild(at, drake, (const xmlChar *)"rotor_inertia", NULL);
    add_indent(at, 2);
  }
  set_number(rotor, "value", reflected / (body->drive.gear_ratio * body->drive.gear_ratio));
}

static void
write_drives(xmlDoc * doc, xmlNode * root, const identify_result_t * result)
{
  const mbd_model_t * model = result->model;
  xmlNs * drake = NULL;
  if (result->terms.rotors) {
    drake = xmlSearchNs(doc, root, (const xmlChar *)"drake");
    if (!drake) {
      drake = xmlNewNs(root, (const xmlChar *)"http://drake.mit.edu", (const xmlChar *)"drake");
    }
  }
  for (int j = 0; j < model->nv; j++) {
    const mbd_body_t * body = &model->body[j];
    const double * three = result->theta + TEN * model->nbody + 3 * j;
    if (result->terms.friction) write_friction(root, body->joint_name, three);
    if (result->terms.rotors) write_rotor(root, drake, body, three[2]);
  }
}

//---------- file ----------

static bool
save(xmlDoc * doc, const char * path)
{
  xmlChar * text = NULL;
  int size = 0;
  xmlDocDumpMemory(doc, &text, &size);
  if (!text) {
    fprintf(stderr, "%s: cannot be written: out of memory\n", path);
    return false;
  }
  FILE * file = fopen(path, "w");
  if (!file) fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
  if (file) fwrite(text, 1, (size_t)size, file);
  xmlFree(text);
  return file && text_close(file, path);
}

bool
identify_write_urdf(const char * urdf_path, const char * path, const identify_result_t * result)
{
  const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
  size_t size;
  char * urdf = robot_urdf_text(urdf_path, &size);
  xmlDoc * doc = urdf ? xmlReadMemory(urdf, (int)size, urdf_path, NULL, options) : NULL;
  free(urdf);
  xmlNode * root = doc ? xmlDocGetRootElement(doc) : NULL;
  if (!root) {
    fprintf(stderr, "%s: cannot be read again\n", urdf_path);
    xmlFreeDoc(doc);
    return false;
  }
  char text[200];
  snprintf(
    text, sizeof text, " inertial parameters%s%s by mbdyn identify from %ld samples ",
    result->terms.friction ? ", friction" : "", result->terms.rotors ? ", rotor inertia" : "",
    result->data.nsample);
  if (root->children) {
    add_comment(root->children, text);
    xmlAddPrevSibling(root->children, xmlNewText((const xmlChar *)"\n  "));
  }
  write_links(root, result);
  write_drives(doc, root, result);
  const bool done = save(doc, path);
  xmlFreeDoc(doc);
  return done;
}
