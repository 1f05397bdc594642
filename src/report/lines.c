// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/lines.h"

/* Print the next character, the byte hidden in hexadecimal. Returns what follows. */
static const char *print_char(FILE *out, const char *text, char hidden)
{
	unsigned length = text_character(text);

	if (!length || *text == hidden)
		fprintf(out, "\\x%02x", (unsigned char)*text);
	else if (*text == '\\')
		fputs("\\\\", out);
	else
		fwrite(text, 1, length, out);
	return text + (length ? length : 1);
}

void print_text(FILE *out, const char *text)
{
	while (*text)
		text = print_char(out, text, '\0');
}

/* The text "-" is escaped, because a plain "-" stands for an empty text. */
void print_word(FILE *out, const char *text)
{
	if (!*text || !strcmp(text, "-")) {
		fputs(*text ? "\\x2d" : "-", out);
		return;
	}
	while (*text)
		text = print_char(out, text, ' ');
}

void print_value(FILE *out, const char *key, const char *value)
{
	fprintf(out, "# %s: ", key);
	print_text(out, value);
	fputc('\n', out);
}

void print_count(FILE *out, const char *key, uint64_t count)
{
	fprintf(out, "# %s: %" PRIu64 "\n", key, count);
}

void print_share(FILE *out, const char *key, uint64_t some, uint64_t all)
{
	fprintf(out, "# %s: %" PRIu64 " of %" PRIu64 "\n", key, some, all);
}

/* Each word is quoted so that a shell reads it as one. */
void print_words(FILE *out, const char *key, char **argv)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";

	fprintf(out, "# %s:", key);
	for (char **next = argv; *next; next++) {
		const char *word = *next, *quote = *word && !word[strspn(word, plain)] ? "" : "'";

		fprintf(out, " %s", quote);
		while (*word) {
			if (*word == '\'')
				print_text(out, "'\\''");
			word = *word == '\'' ? word + 1 : print_char(out, word, '\0');
		}
		fputs(quote, out);
	}
	fputc('\n', out);
}
