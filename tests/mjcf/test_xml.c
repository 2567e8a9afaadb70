// R30.1: the tree of a file, with values, lines and what stands between elements, and the place of
// what is no XML.

#include "mjcf/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ct_Pool pool;

static ct_XmlDocument read_text(const char* text) {
  ct_XmlDocument document;
  char error[200] = "";
  int line;
  if (!ct_xml_read(&pool, "a.xml", text, strlen(text), &document, error, sizeof(error), &line)) {
    fail_msg("%s\nrefused, line %d: %s", text, line, error);
  }
  return document;
}

static void expect_refusal(const char* text, int line, const char* message) {
  ct_XmlDocument document;
  char error[200] = "";
  int got;
  assert_false(
      ct_xml_read(&pool, "a.xml", text, strlen(text), &document, error, sizeof(error), &got));
  if (got != line || !strstr(error, message)) {
    fail_msg("%s\nexpected line %d: %s\ngot line %d: %s", text, line, message, got, error);
  }
}

static int give_back(void** state) {
  (void)state;
  ct_pool_free(&pool);
  return 0;
}

static void elements_and_attributes_know_their_lines(void** state) {
  (void)state;
  ct_XmlDocument d = read_text(
      "\xEF\xBB\xBF\n<?xml version='1.0'?>\r\n<!-- one\ntwo -->\n<root>\n  <\n first a='1\n2'\n"
      "    b=\"3\"/>\r\n  <second/> text\n <third\n\tc\n=\n'4'></third>\n</root>");
  const ct_Xml *first = d.root->first, *second = first->next, *third = second->next;
  assert_int_equal(d.root->line, 5);
  assert_int_equal(first->line, 6);
  assert_int_equal(ct_xml_line(first, "a"), 7);
  assert_int_equal(ct_xml_line(first, "b"), 9);
  assert_int_equal(second->line, 10);
  assert_int_equal(third->line, 11);
  assert_int_equal(ct_xml_line(third, "c"), 12);
  assert_int_equal(ct_xml_line(third, "absent"), 11);
  assert_string_equal(first->file->name, "a.xml");
  assert_ptr_equal(third->parent, d.root);
  assert_ptr_equal(d.root->last, third);
  assert_null(third->next);
}

static void values_are_bytes_and_references(void** state) {
  (void)state;
  static const struct {
    const char *written, *value;
  } cases[] = {
      {"", ""},
      {"a b", "a b"},
      {"a\r\nb\rc\nd\te", "a\nb\nc\nd\te"},
      {"&lt;&gt;&amp;&quot;&apos;", "<>&\"'"},
      {"&#65;&#x42;&#9;&#13;&#27;", "AB\t\r\x1B"},
      {"&#233;&#x20AC;&#x1F600;", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
      {"&#x110000;&#123456789;&#;&#x;&nbsp;&", "&#x110000;&#123456789;&#;&#x;&nbsp;&"},
      {"before&#0;behind", "before"},
      {"<a b=\"c\"/> > \x01\x7F\x80\xFF", "<a b=\"c\"/> > \x01\x7F\x80\xFF"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[200];
    snprintf(text, sizeof(text), "<a x='1' v = '%s'y='2' />", cases[i].written);
    ct_XmlDocument d = read_text(text);
    assert_int_equal(d.root->nattribute, 3);
    assert_string_equal(ct_xml_value(d.root, "v"), cases[i].value);
    assert_string_equal(ct_xml_value(d.root, "y"), "2");
    assert_null(ct_xml_value(d.root, "z"));
  }
}

static void what_is_no_element_leaves_a_mark(void** state) {
  (void)state;
  static const char* const other[] = {"<a>x<b/></a>", "<a><!-- c --><b/></a>",
                                      "<a><![CDATA[<]]><b/></a>", "<a><b/><!x></a>"};
  for (int i = 0; i < 4; i++) assert_true(read_text(other[i]).root->other);
  assert_false(read_text("x <!-- c --> <!DOCTYPE a> <a> <b/>\n</a> <!-- d -->").root->other);
}

static void the_comment_that_opens_the_root_is_kept(void** state) {
  (void)state;
  assert_string_equal(read_text("<!-- no --><a>\n<!-- b--c\r\nd\x01\re---><!-- f --></a>").comment,
                      " b- c\nd \ne ");
  assert_null(read_text("<a><b/><!-- c --></a>").comment);
  assert_null(read_text("<a>x<!-- c --></a>").comment);
  assert_null(read_text("<a><b><!-- c --></b></a>").comment);
}

static void mistakes_are_found_where_they_are(void** state) {
  (void)state;
  expect_refusal("", 1, "there is no element in the file");
  expect_refusal("words\n\n", 3, "there is no element in the file");
  expect_refusal("<a>\n<b>\n</c>\n</a>", 3, "</b> should be here: <b> was opened in line 2");
  expect_refusal("<a>\n<b/>\n", 3, "the file ends without </a>, which was opened in line 1");
  expect_refusal("<a>\n <b c='1'\n  d='2'", 2, "the file ends inside a tag");
  expect_refusal("<a>\n<!-- -- >", 2, "the file ends inside a tag or comment");
  expect_refusal("<a>\n<b\nc?='1'/></a>", 3,
                 "a character cannot stand here; check names, '=', quotes and '>' before it, "
                 "inside <a> of line 1");
  expect_refusal("<a\nb='1'\nc=2\n/>", 3, "the value of c must stand in quotes");
  expect_refusal("<a>\n<b c='1'\nd='2'\nc='3'/></a>", 4,
                 "c is given twice; leave one of them out, inside <a> of line 1");
  expect_refusal("<a/>\n<!-- c -->\n x", 3, "text stands behind the last element");
  expect_refusal("<a>\n<?b?></a>", 2, "very beginning");
  expect_refusal("<a/>\n<b>\n<c></b>", 3, "</c> should be here");
}

// Verdicts on what stands behind the root are the reference's.
static void what_is_behind_the_root_has_an_end(void** state) {
  (void)state;
  static const char* const good[] = {"<!>",    "<!x>",       "<![CDATA[x]]>", "</b>",     "< /a>",
                                     "</a\f>", "</a b='c'>", "</b></",        "</b><!--", "</b>x",
                                     "x<b/>",  "x</a>",      "x<!-- c -->"};
  static const char* const bad[] = {"<![CDATA[", "<![CDATA[x]]", "<!",    "<!x",   "<![", "<!-",
                                    "<!--",      "<!-->",        "</",    "x",     "x\n", "<b/>x",
                                    "</ ",       "</a",          "</a b", "</ a>", "</>", "</a b>",
                                    "</a/>",     "</a b='c'",    "< /"};
  char text[50];
  for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
    snprintf(text, sizeof(text), "<a/>%s", good[i]);
    assert_string_equal(read_text(text).root->name, "a");
  }
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    snprintf(text, sizeof(text), "<a>\n</a>\n%s", bad[i]);
    expect_refusal(text, 3, "");
  }
  expect_refusal("<a/>\n<![CDATA[", 2, "the file ends inside a tag or comment that begins here");
  expect_refusal("<a/>\n</a", 2, "the file ends inside a tag or comment that begins here");
  expect_refusal("<?><a/>", 1, "the file ends inside a tag or comment that begins here");
  expect_refusal("\n<?xml <a/>", 2, "the file ends inside a tag or comment that begins here");
}

static void form_feeds_and_vertical_tabs_are_blanks(void** state) {
  (void)state;
  ct_XmlDocument d = read_text("\f<?xml?>\v<\fa\vb\f=\v'1\f'\f>\v<c/>\f</a\v>\f<!-- d -->\v");
  assert_string_equal(ct_xml_value(d.root, "b"), "1\f");
  assert_false(d.root->other);
  expect_refusal("<a \x1C/>", 1, "a character cannot stand here");
}

// Few attributes are compared one by one, many are not.
static void attributes_may_stand_once_however_many_there_are(void** state) {
  (void)state;
  static char text[300000];
  for (int n = 1; n <= 20000; n = n < 40 ? n + 1 : 7 * n) {
    size_t used = (size_t)snprintf(text, sizeof(text), "<r><a/><a");
    for (int i = 0; i < n; i++) {
      used += (size_t)snprintf(text + used, sizeof(text) - used, " n%d=''", i);
    }
    size_t before = used;
    snprintf(text + used, sizeof(text) - used, "/></r>");
    assert_int_equal(read_text(text).root->last->nattribute, n);
    snprintf(text + before, sizeof(text) - before, " n%d=''/></r>", n / 2);
    expect_refusal(text, 1, "is given twice");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(elements_and_attributes_know_their_lines, give_back),
      cmocka_unit_test_teardown(values_are_bytes_and_references, give_back),
      cmocka_unit_test_teardown(what_is_no_element_leaves_a_mark, give_back),
      cmocka_unit_test_teardown(the_comment_that_opens_the_root_is_kept, give_back),
      cmocka_unit_test_teardown(mistakes_are_found_where_they_are, give_back),
      cmocka_unit_test_teardown(what_is_behind_the_root_has_an_end, give_back),
      cmocka_unit_test_teardown(form_feeds_and_vertical_tabs_are_blanks, give_back),
      cmocka_unit_test_teardown(attributes_may_stand_once_however_many_there_are, give_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
