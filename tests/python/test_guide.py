"""The guide in docs/python.md runs as it stands there."""

import os
import re
import unittest

import support


class Guide(unittest.TestCase):

    def test_the_five_minutes_run(self):
        with open(os.path.join(support.ROOT, "docs", "python.md")) as page:
            section = page.read().partition("## Five minutes\n")[2].partition("\n## ")[0]
        lines = [line[4:] for line in section.splitlines() if line.startswith("    ") or not line]
        os.chdir(support.ROOT)
        program = "\n".join(lines)
        self.assertEqual(len(re.findall(r"\bbatch\.\w+", program)) > 10, True)
        exec(compile(program, "docs/python.md", "exec"), {})


if __name__ == "__main__":
    support.main()
