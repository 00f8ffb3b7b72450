"""The places where a rule puts a mutant. `scripts/mutate --draw` draws some of them, so that taste has no part in it.

A candidate is a line of one of five kinds:

    comparison  < becomes <=, > becomes >= and the reverse; == is always true, and != never
    boundary    a number from 2 on is one more; + 1 and - 1 are left out; ..< becomes ... and the reverse
    twin        first and last, min and max, && and || stand for each other; true and false, if assigned or returned
    reset       an assignment, a count, or a removal of elements is left out
    error path  a condition of a guard, or of an if that leaves or reports, is never met

A line that occurs twice in its file counts together with its neighbours. Lines of listed mutants are no candidates.
"""
import hashlib
import os
import re

KINDS = ["comparison", "boundary", "twin", "reset", "error path"]
# At most so many of a kind in one file.
OF_A_FILE = 2
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "..<": "...", "...": "..<"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}
DECLARATION = re.compile(
    r"\s*(?:@|#|//|\*|import |case |(?:(?:public|package|private|fileprivate|static|final|mutating|override|indirect) )*"
    r"(?:func|init|struct|enum|class|extension|protocol|typealias|subscript|associatedtype|deinit)\b)")


def blanked(line):
    """The line with the text of its string literals and its comment as spaces, for searching."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda match: '"' + "\x01" * (len(match[0]) - 2) + '"', line)
    return re.sub(r"//.*", lambda match: " " * len(match[0]), line)


def operand_start(text, end):
    """Where the operand that ends at `end` begins, or None if the line does not hold all of it."""
    index, depth = end, 0
    while index > 0:
        character = text[index - 1]
        if character in CLOSING:
            depth += 1
        elif character in OPENING:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0:
            if character == "," or not re.match("[=?&|]", text[index:]) and re.search(
                r"(?:\w:|&&|\|\|| \?| :|(?<![=!<>])=|\b(?:if|guard|while|return|where|in|else|case))\s*$", text[:index]):
                break
        index -= 1
    if depth:
        return None
    while index < end and text[index] == " ":
        index += 1
    return index


def operand_end(text, start):
    index, depth = start, 0
    while index < len(text):
        character = text[index]
        if character in OPENING:
            if depth == 0 and character == "{" and index and text[index - 1] == " ":
                break
            depth += 1
        elif character in CLOSING:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (character == "," or re.match(r":(?: |$)| (?:&&|\|\||\?|:|else\b|where\b) ?", text[index:])):
            break
        index += 1
    while text[index - 1:index] == " ":
        index -= 1
    return None if depth else index


def comparisons(line, text):
    for match in re.finditer(r" (<=?|>=?|==|!=) (?=\S)", text):
        start, end = operand_start(text, match.start()), operand_end(text, match.end())
        if start is None or end is None or start >= match.start() or end <= match.end():
            continue
        whole, operator = line[start:end], match[1]
        if operator in OTHER:
            other = f"{line[start:match.start()]} {OTHER[operator]} {line[match.end():end]}"
            yield f"{operator} is {OTHER[operator]}", start, end, f"(MUTANT ? {other} : {whole})"
        elif operator == "==":
            yield "== is true", start, end, f"(MUTANT ? true : {whole})"
        else:
            yield "!= is false", start, end, f"(MUTANT ? false : {whole})"


def boundaries(line, text):
    for match in re.finditer(r"(?<![\w.$-])\d[\d_]*(?![\w.]|\()", text):
        if int(match[0].replace("_", "")) >= 2:
            yield f"{match[0]} is one more", match.start(), match.end(), (
                f"(MUTANT ? {int(match[0].replace('_', '')) + 1} : {match[0]})")
    for match in re.finditer(r"(?<=\S) ([+-]) 1(?![\w.])", text):
        yield f"no {match[1]} 1", match.start(), match.end(), f" {match[1]} (MUTANT ? 0 : 1)"
    for match in re.finditer(r"\((\w[\w.]*)(\.\.[.<])(\w[\w.]*)\)\.contains\((\w[\w.]*)\)", text):
        other = f"({match[1]}{OTHER[match[2]]}{match[3]}).contains({match[4]})"
        yield f"{match[2]} is {OTHER[match[2]]}", match.start(), match.end(), f"(MUTANT ? {other} : {match[0]})"


def twins(line, text):
    for match in re.finditer(r"\.(first|last)(?![\w(?!])", text):
        start = operand_start(text, match.start())
        if start is not None and start < match.start() and re.fullmatch(r"[\w.]+", text[start:match.start()]):
            base, other = line[start:match.start()], "last" if match[1] == "first" else "first"
            rest = re.match(r"(?:[?!]?\.\w+)*[?!]?", text[match.end():])[0]
            whole = line[start:match.end()] + rest
            if not text[match.end() + len(rest):].startswith(("(", "[", " =", " {")):
                yield f"{match[1]} is {other}", start, match.end() + len(rest), f"(MUTANT ? {base}.{other}{rest} : {whole})"
    for match in re.finditer(r"(?<![\w.])(min|max)\(", text):
        other = "max" if match[1] == "min" else "min"
        yield f"{match[1]} is {other}", match.start(), match.end(), f"(MUTANT ? Swift.{other} : Swift.{match[1]})("
    for match in re.finditer(r" (&&|\|\|) (?=\S)", text):
        start, end = operand_start(text, match.start()), operand_end(text, match.end())
        if start is not None and end is not None and start < match.start() and end > match.end() and (
            not re.match(r" \{| \?", text[end:]) or re.match(r"\s*(?:\} else )?(?:if|guard|while|case)\b", text)
        ):
            left, right = line[start:match.start()], line[match.end():end]
            other = "||" if match[1] == "&&" else "&&"
            yield f"{match[1]} is {other}", start, end, f"(MUTANT ? ({left}) {other} ({right}) : ({left}) {match[1]} ({right}))"
    for match in re.finditer(r"(?:return|[\w\]] =) (?=true$|false$)", text.rstrip()):
        whole = text[match.end():].rstrip()
        other = "false" if whole == "true" else "true"
        yield f"{whole} is {other}", match.end(), match.end() + len(whole), f"(MUTANT ? {other} : {whole})"


def resets(line, text, constants):
    name = re.match(r"\s*(\w+) = ", text)
    if name and name[1] in constants or re.search(r"\b(?:let|var|return|if|guard|case|for|else|while|switch)\b", text):
        return
    if match := re.fullmatch(
        r"(\s*)(?:[\w.!?]+(?:\[[^\]]*\])?[\w.!?]* (?:=|\+=|-=) [^{]+|[\w.!?]+\.(?:removeAll|removeFirst|removeLast)\([^{]*\))", text):
        if all(text.count(opening) == text.count(closing) for opening, closing in OPENING.items()):
            start = len(match[1])
            yield "left out", start, len(line.rstrip()), f"if !MUTANT {{ {line[start:].rstrip()} }}"


def error_paths(line, text, following):
    guard = re.match(r"\s*guard (.*) else \{", text)
    condition = guard or re.match(r"\s*(?:\} else )?if (.*) \{", text)
    if not condition:
        return
    if not guard:
        rest = text[condition.end():].strip() or following.strip()
        if not re.match(r"(?:return|throw|continue|break)\b|[\w.]*(?:report|problem|add|found|note|refuse|fail)\w*\(", rest):
            return
    start, depth = condition.start(1), 0
    for index in range(start, condition.end(1) + 1):
        character = text[index] if index < condition.end(1) else ","
        depth += (character in OPENING) - (character in CLOSING)
        if character == "," and depth == 0:
            part = line[start:index].strip()
            begin = start + len(line[start:index]) - len(line[start:index].lstrip())
            if part and not re.match(r"(?:let|var|case|#available|unsafe let)\b", part) and "try" not in part:
                new = f"(MUTANT ? {'true' if guard else 'false'} : {part})"
                yield "never", begin, begin + len(part), new
            start = index + 1


class Candidate:
    def __init__(self, path, kind, what, number, start, end, original, mutated):
        self.path, self.kind, self.number, self.start, self.end = path, kind, number, start, end
        self.original, self.mutated = original, mutated
        self.module = path.split("/")[1]
        self.name = f"{os.path.basename(path)}: {what}: {' '.join(original[-1].split())}"


def candidates(path, text, occupied):
    lines = text.split("\n")
    starts, total = [], 0
    for line in lines:
        starts.append(total)
        total += len(line) + 1
    # A constant that is set later has to be set.
    constants = set(re.findall(r"\blet (\w+): [^={]+$", text, re.MULTILINE))
    init_indent, in_text = None, False
    for number, line in enumerate(lines):
        if '"""' in line:
            in_text = not in_text if line.count('"""') % 2 else in_text
            continue
        if in_text or not line.strip():
            continue
        search = blanked(line)
        indent = len(line) - len(line.lstrip())
        if re.match(r"\s*(?:(?:public|package|private) )*init[?(<]", line) and line.rstrip().endswith(("{", "(")):
            init_indent = indent
        elif init_indent is not None and line.strip() == "}" and indent == init_indent:
            init_indent = None
        if DECLARATION.match(line) and not re.match(r"\s*case .*:", line):
            continue
        following = lines[number + 1] if number + 1 < len(lines) else ""
        continued = re.match(r"\s*[.?:&|+*=-]", following) or not re.search(r"[\w)\]}\"!]\s*$", line)
        found = [("comparison", *change) for change in comparisons(line, search)]
        found += [("boundary", *change) for change in boundaries(line, search)] if "case " not in line[:indent + 5] else []
        found += [("twin", *change) for change in twins(line, search)]
        found += [("reset", *change) for change in resets(line, search, constants)] if not continued and init_indent is None else []
        found += [("error path", *change) for change in error_paths(line, search, following)]
        for kind, what, start, end, new in found:
            # As many lines before it as make it the only one of its kind in the file.
            first = number
            while text.count("\n".join(lines[first:number + 1]).strip()) > 1 and first > 0:
                first -= 1
            if any(re.match(r"\s*//", above) for above in lines[first:number + 1]):
                continue
            begin, last = starts[first] + len(lines[first]) - len(lines[first].lstrip()), starts[number] + len(line)
            if any(begin < other_end and other_start < last for other_start, other_end in occupied):
                continue
            original = lines[first:number + 1]
            yield Candidate(
                path, kind, what, number, begin, last, original, original[:-1] + [line[:start] + new + line[end:]])


def drawn(texts, occupied, count, seed):
    """`count` candidates of each module, as many of each kind: those whose hash with `seed` comes first."""
    found = [candidate for path, text in texts.items() for candidate in candidates(path, text, occupied.get(path, []))]
    found.sort(key=lambda one: hashlib.sha256("\0".join([str(seed), one.path, one.name]).encode()).digest())
    taken = []
    for candidate in found:
        of_kind = [other for other in taken if (other.module, other.kind) == (candidate.module, candidate.kind)]
        in_file = [other for other in taken if other.path == candidate.path]
        if (
            len(of_kind) < count // len(KINDS)
            and sum(other in of_kind for other in in_file) < OF_A_FILE
            and not any(other.start < candidate.end and candidate.start < other.end for other in in_file)
            and not any(other.name == candidate.name for other in taken)
        ):
            taken.append(candidate)
    return taken
