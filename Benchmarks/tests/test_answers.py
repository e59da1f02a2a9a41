import unittest

from harness.servers import Answer, tally


class AnAnswer(unittest.TestCase):
    def test_is_read_from_the_line_nginx_logs(self):
        table = {
            "GET 206 100 100 bytes 0-99/1000": Answer(206, 100, 100),
            "GET 206 40 1000 bytes 0-999/1000": Answer(206, 40, 1000),
            "GET 200 7 1000 -": Answer(200, 7, 1000),
            "HEAD 200 0 1000 -": Answer(200, 0, 0),
            "HEAD 206 0 100 bytes 0-99/1000": Answer(206, 0, 0),
            "GET 503 190 190 -": Answer(503, 190, 0),
            "GET 200 1000 - -": Answer(200, 1000, 0),
        }
        for line, answer in table.items():
            with self.subTest(line):
                self.assertEqual(Answer.parse(line), answer)

    def test_counts_twice_what_was_asked_or_sent_twice(self):
        answers = [Answer(206, 600, 1000), Answer(206, 500, 500), Answer(503, 190, 0)]
        expected = {"requests": 3, "503s": 1, "asked again": 500, "sent again": 100}
        self.assertEqual(tally(answers, 1000), expected)
