/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is found against a run, gathered for its verdict. Pure. */
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include "report/verdict.h"

struct finding {
	enum grade grade;
	unsigned reasons, remarks;
	char cause[VERDICT_CAUSE];
	char reason[VERDICT_TEXT], remark[VERDICT_TEXT];
};

/* The first reason of the worst grade is the cause. With the grade VALID it is a remark. */
void finding_add(struct finding *finding, enum grade grade, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
