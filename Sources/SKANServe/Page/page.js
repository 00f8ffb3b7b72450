// The live page of skan serve. It shows what /events sends, a line of the journal each, and asks /page/… for the rest.
// Texts of phones become text nodes and nothing else.
// @ts-check
'use strict';

/**
 * @typedef {{app: string, kind: string, id: string}} PhoneID
 * @typedef {{n: number, rule: string, message: string, parameters: string[]}} Finding
 * @typedef {'error' | 'warning' | 'note'} Level
 * @typedef {{rule: string, level: Level, basis: string, text: string, remedy: string}} Rule
 * @typedef {{name: string, meaning: string, expected: string}} Parameter
 * @typedef {{kind: string, window: number, value: string, meaning: string, never: string | null}} Step
 * @typedef {{app: string | null, values: Step[]}} Model
 * @typedef {{answer: string, at: number, body?: string | null, explanation: string, method: string | null,
 *   path: string | null, query: Record<string, string | null> | null, status: number}} Line
 * @typedef {{run: string, version: string, takes_postbacks: boolean, windows: number[], skan3_window: number, rules: Rule[],
 *   parameters: Parameter[], models: Model[], faults: {name: string, effect: string}[]}} Setup
 * @typedef {{id: number, fault: string | null, delay: number, phone: PhoneID | null}} Trouble
 * @typedef {{note: string, svg: string | null, steps: {n: number | null, line: string}[]}} Life
 * @typedef {{n: number, answer: string, curl: string | null, reason: string}} Details
 *
 * A request as it is shown. A refused one tells no facts about its phone.
 * @typedef {{n: number, line: Line, sent: Record<string, string | null>, phone: string, event: string, before: string,
 *   after: string, coarse: string, locks: boolean, failed: boolean, refused: boolean, answer: any, findings: Finding[],
 *   together: number[], version: number}} Asked
 *
 * A phone as it is shown. `id` is null for the requests that name none.
 * `unseen` counts the requests that came since its row was last in view, `shownAt` is when it came into view.
 * @typedef {{key: string, id: PhoneID | null, requests: Asked[], app: string, version: number, unseen: number,
 *   shownAt: number}} Phone
 *
 * A word of a search: a text, or what an operator compares with.
 * @typedef {{operator: string, comparison: string, text: string}} Term
 */

/** The rows of lists are of one height each, so that only those in view are made. */
const HEIGHT = {phone: 80, request: 60};
/** The milliseconds between two drawings of the page, and between two drawings of a life. */
const PAUSE = {page: 100, life: 1000};
/** The milliseconds in view after which a row is seen. */
const SEEN = 2000;
/** As many requests as the journal keeps. */
const MOST = 10000;
const COARSE = ['low', 'medium', 'high'];
/** @type {Level[]} */
const LEVELS = ['error', 'warning', 'note'];
const SVG = 'http://www.w3.org/2000/svg';

// MARK: Elements

/**
 * @param {string} id
 * @returns {any}
 */
function $(id) {
  return document.getElementById(id);
}

/**
 * An element with attributes and children; texts are text nodes. A nil child is left out.
 * @param {string} name
 * @param {Record<string, any>} [attributes] - `on…` are listeners
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/**
 * A text with characters that are not seen, or that turn others around, written as escapes.
 * @param {unknown} text
 * @returns {string}
 */
function shown(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    '\\u' + (character.codePointAt(0) || 0).toString(16).padStart(4, '0'));
}

/**
 * @param {number} count
 * @param {string} what
 */
function counted(count, what) {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

/**
 * A description list's entries.
 * @param {[string, string | Node | null | false][]} pairs
 */
function facts(pairs) {
  return pairs.filter((pair) => pair[1]).map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, value)));
}

/**
 * A text that can be copied: what is copied is what is shown. The program has written it, without hidden characters.
 * @param {string} label
 * @param {string} text
 */
function copyable(label, text) {
  const button = el('button', {type: 'button', onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'The browser does not copy here: select the text';
    }
  }}, 'Copy');
  return [el('pre', {tabindex: '0', 'aria-label': label}, text), button];
}

// MARK: Times

/** @param {number} seconds since 1970 */
function instant(seconds) {
  const date = new Date(seconds * 1000);
  return isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('T', ' ').replace(/\.\d+Z|Z/, ' UTC');
}

/**
 * A span of time in its two largest units.
 * @param {number} seconds
 */
function span(seconds) {
  const sign = seconds < 0 ? '-' : '';
  let left = Math.abs(Math.floor(seconds));
  const parts = [];
  for (const [unit, size] of /** @type {[string, number][]} */ ([['d', 86400], ['h', 3600], ['m', 60], ['s', 1]])) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 || unit === 's' && parts.length === 0) parts.push(count + unit);
  }
  return sign + parts.slice(0, 2).join(' ');
}

// MARK: State

/** @type {Setup | null} */
let setup = null;
/** @type {Map<string, Rule>} */
const rules = new Map();
/** @type {Map<string, Parameter>} */
const parameters = new Map();
/** @type {Map<number, Asked>} */
const requests = new Map();
/** @type {Map<string, Phone>} */
const phones = new Map();
/** @type {Trouble[]} */
let pending = [];
/** The number of the oldest line that the server keeps. */
let firstKept = 1;
/** How many changes the page has taken: each gives what it changes a version that nothing had before it, also after a reset. */
let changes = 0;
/** Whether one pane is shown at a time, as in the style. */
const isNarrow = matchMedia('(max-width: 50rem)');
/** What the address of the page names. */
const chosen = {view: 'phones', phone: '', request: 0};
/** The number from which lines are new: the server kept the others before the page was opened. */
let firstNew = Infinity;
/** Why the page is not live; empty while it is. */
let trouble = 'connecting';

/** @param {PhoneID | null} id */
function keyOf(id) {
  return id ? `${id.kind}/${id.id}/${id.app}` : 'none';
}

/**
 * @param {string} key
 * @param {PhoneID | null} id
 */
function phoneOf(key, id) {
  let phone = phones.get(key);
  if (!phone) {
    phone = {key, id, requests: [], app: id ? id.app : '', version: 0, unseen: 0, shownAt: 0};
    phones.set(key, phone);
  }
  return phone;
}

/** @param {string | null | undefined} text */
function fields(text) {
  try {
    return Object.fromEntries(new URLSearchParams(text || ''));
  } catch {
    return {};
  }
}

/**
 * Takes a line of the journal.
 * @param {{n: number, line: Line, phone: PhoneID | null, findings: Finding[], together: number[]}} data
 */
function take(data) {
  const {line} = data;
  const sent = {...line.query, ...fields(line.body)};
  let answer = null;
  try { answer = JSON.parse(line.answer); } catch { /* Not every answer is JSON. */ }
  const values = answer && typeof answer === 'object' && !Array.isArray(answer) ? answer : {};
  const has = (/** @type {string} */ name) => values[name] !== undefined;
  const coarse = values.skan_updated_coarse_value;
  const phone = phoneOf(keyOf(data.phone), data.phone);
  const refused = line.method === null || line.status >= 400 && line.status < 500 || values.status === 'error';
  /** @type {Asked} */
  const request = {
    n: data.n, line, sent, phone: phone.key,
    event: sent.n === '__SESSION__' || (line.path || '').endsWith('/launch') ? 'session' : sent.n || line.path || 'not HTTP',
    before: sent.skan_current_conversion_value || sent.conversion_value || sent.skan_conversion_value || '',
    after: has('conversion_value') ? JSON.stringify(values.conversion_value) : '',
    coarse: has('skan_updated_coarse_value') ? typeof coarse === 'number' && COARSE[coarse] || JSON.stringify(coarse) : '',
    locks: values.skan_updated_lock_window_value === true, answer,
    failed: line.status !== 200 || values.status !== 'ok' && line.path !== null && !has('conversion_value'),
    refused, findings: [], together: data.together, version: ++changes,
  };
  requests.set(data.n, request);
  phone.requests.push(request);
  if (data.n >= firstNew) phone.unseen += 1;
  if (sent.i && !refused) phone.app = sent.i;
  phone.version = ++changes;
  for (const finding of data.findings) {
    const about = requests.get(finding.n);
    if (!about) continue;
    about.findings.push(finding);
    about.version = ++changes;
    const owner = phones.get(about.phone);
    if (owner) owner.version = ++changes;
  }
  for (const n of data.together) {
    const other = requests.get(n);
    if (!other) continue;
    other.together.push(data.n);
    other.version = ++changes;
  }
  if (requests.size > MOST) forget(data.n - MOST);
}

/**
 * Forgets lines that the server no longer keeps.
 * @param {number} last
 */
function forget(last) {
  for (const n of requests.keys()) {
    if (n > last) break;
    const phone = phones.get((requests.get(n) || {phone: ''}).phone);
    requests.delete(n);
    if (phone) while (phone.requests.length && phone.requests[0].n <= last) phone.requests.shift();
    if (phone) phone.unseen = Math.min(phone.unseen, phone.requests.length);
    if (phone) phone.version = ++changes;
    if (phone && phone.requests.length === 0) phones.delete(phone.key);
  }
  firstKept = Math.max(firstKept, last + 1);
}

/** @param {Finding} finding */
function levelOf(finding) {
  const rule = rules.get(finding.rule);
  return rule ? rule.level : 'warning';
}

/**
 * The requests of a phone that tell facts about it.
 * @param {Phone} phone
 */
function telling(phone) {
  return phone.id ? phone.requests.filter((request) => !request.refused) : [];
}

/**
 * The window of a phone at its last request.
 * @param {Asked[]} told - what ``telling`` gives
 */
function windowOf(told) {
  const last = told[told.length - 1];
  if (!last || !setup) return null;
  const first = firstCall(last) || (told.map(firstCall).find(Boolean) || 0);
  if (!first) return null;
  const age = last.line.at - first;
  if (isOld(told)) {
    const left = setup.skan3_window - (last.line.at - Number(last.sent.last_call_to_skadnetwork_timestamp || first));
    return left > 0 ? `open, ${span(left)} left` : 'updates are over';
  }
  const index = setup.windows.findIndex((end) => age < end);
  return index < 0 ? 'all windows over' : `P${index}, ${span(setup.windows[index] - age)} left`;
}

/**
 * The first call in Unix seconds; 0 where the request does not tell it.
 * @param {Asked} request
 */
function firstCall(request) {
  const sent = request.sent;
  return request.refused ? 0 : Number(sent.skan_first_call_to_skadnetwork_timestamp
    || sent.first_call_to_skadnetwork_timestamp || sent.skan_first_call_timestamp || 0);
}

/**
 * The first call of a request's phone, as this request or another one tells it; 0 where none does.
 * @param {Asked} request
 */
function firstCallOf(request) {
  const phone = phones.get(request.phone);
  return firstCall(request) || (phone && telling(phone).map(firstCall).find(Boolean)) || 0;
}

/**
 * Whether the phone has the snippet for SKAN 3.
 * @param {Asked[]} told
 */
function isOld(told) {
  return told.some((request) => (request.line.path || '').includes('/v1/conversion_value'));
}

/** @param {Asked[]} told */
function snippetOf(told) {
  const last = told[told.length - 1];
  if (!last) return '';
  const ios = last.sent.v || last.sent.ve;
  return `${isOld(told) ? 'SKAN 3' : 'SKAN 4'}${ios ? `, iOS ${shown(ios)}` : ''}`;
}

/**
 * The values of a phone after its last answers.
 * @param {Asked[]} told
 */
function valuesOf(told) {
  const last = told[told.length - 1];
  const given = [...told].reverse().find((request) => request.after !== '');
  return {
    fine: given ? given.after : last ? last.before : '',
    coarse: given ? given.coarse : '',
    revenue: last ? revenueOf(last) : '',
  };
}

/** @param {Asked} request */
function revenueOf(request) {
  const sums = [];
  const names = ['skan_total_revenue_by_currency', 'total_revenue_by_currency', 'skan_total_admon_revenue_by_currency'];
  for (const name of names) {
    try {
      for (const [currency, sum] of Object.entries(JSON.parse(request.sent[name] || '{}'))) {
        sums.push(`${Number(sum).toLocaleString('en', {maximumFractionDigits: 2})} ${shown(currency)}${name.includes('admon') ? ' of ads' : ''}`);
      }
    } catch { /* A finding says so. */ }
  }
  return sums.join(', ');
}

/** @param {Asked} request */
function changeText(request) {
  if (request.after === '') return request.failed ? 'no value' : '';
  const before = request.before === '' ? '' : request.before === request.after ? '' : `${request.before} → `;
  return shown(`${before}${request.after}${request.coarse ? ` ${request.coarse}` : ''}${request.locks ? ' lock' : ''}`);
}

/** @param {Phone} phone */
function nameOf(phone) {
  return phone.id ? `${shown(phone.app)} ${shown(phone.id.id).slice(0, 8)}` : 'Requests that name no phone';
}

/** @param {Phone} phone */
function query(phone) {
  return phone.id ? new URLSearchParams({...phone.id}).toString() : '';
}

// MARK: Search

/** @param {string | number | null | undefined} text */
function plain(text) {
  return String(text === null || text === undefined ? '' : text).toLowerCase();
}

/**
 * Whether a number, or a version such as 16.4, compares as a term says; equal without a comparison.
 * @param {string} value
 * @param {Term} term
 */
function compares(value, term) {
  if (value === '' || !/^[\d.]+$/.test(term.text)) return false;
  const [left, right] = [value, term.text].map((text) => text.split('.').map(Number));
  let order = 0;
  for (let index = 0; order === 0 && index < Math.max(left.length, right.length); index += 1) {
    order = (left[index] || 0) - (right[index] || 0);
  }
  return {'>': order > 0, '>=': order >= 0, '<': order < 0, '<=': order <= 0}[term.comparison] ?? order === 0;
}

/**
 * What each operator of a search looks at.
 * @type {Record<string, (request: Asked, phone: Phone, term: Term) => boolean>}
 */
const OPERATORS = {
  error: (request, _, term) => {
    const errors = request.findings.filter((finding) => levelOf(finding) === 'error').map((finding) => `${finding.rule} ${finding.message}`);
    return [...errors, ...(request.failed ? [request.line.explanation] : [])].some((text) => plain(text).includes(term.text));
  },
  rule: (request, _, term) => request.findings.some((finding) => plain(finding.rule).startsWith(term.text)),
  event: (request, _, term) => plain(request.event).includes(term.text),
  value: (request, _, term) => compares(request.after || request.before, term),
  status: (request, _, term) => compares(String(request.line.status), term),
  ios: (request, _, term) => compares(request.sent.v || request.sent.ve || '', term),
  idfv: (_, phone, term) => phone.id !== null && phone.id.kind === 'idfv' && plain(phone.id.id).startsWith(term.text),
};

/** @type {{text: string, terms: Term[]}} */
let search = {text: '', terms: []};

/**
 * Reads a search: words, and operators with what they compare with, as in `event:purchase value:>10`.
 * @param {string} text
 */
function readSearch(text) {
  const terms = plain(text).split(/\s+/).filter(Boolean).map((word) => {
    const [, operator, comparison, rest] = word.match(/^([a-z]+):(>=|<=|>|<|)(.*)$/) || ['', '', '', word];
    return operator in OPERATORS ? {operator, comparison, text: rest} : {operator: '', comparison: '', text: word};
  });
  search = {text: text.trim(), terms};
}

/**
 * Whether a request is what the search looks for.
 * @param {Asked} request
 * @param {Phone} phone
 */
function isFound(request, phone) {
  return search.terms.every((term) => term.operator ? OPERATORS[term.operator](request, phone, term)
    : plain([phone.app, phone.id && phone.id.id, request.event, request.line.explanation].join(' ')).includes(term.text));
}

/**
 * The requests of a phone that the search finds, the newest first. They are searched again only when they have changed.
 * @param {Phone} phone
 */
function foundOf(phone) {
  const mark = `${phone.version} ${search.text}`;
  const known = found.get(phone);
  if (known && known.mark === mark) return known.requests;
  const all = phone.requests.filter((request) => isFound(request, phone)).reverse();
  found.set(phone, {mark, requests: all});
  return all;
}

/** @type {WeakMap<Phone, {mark: string, requests: Asked[]}>} */
const found = new WeakMap();

/** @param {Phone} phone */
function newest(phone) {
  const last = phone.requests[phone.requests.length - 1];
  return last ? last.n : 0;
}

/** How phones are ordered. */
const ORDERS = /** @type {Record<string, (left: Phone, right: Phone) => number>} */ ({
  newest: (left, right) => newest(right) - newest(left),
  findings: (left, right) => findingCount(right) - findingCount(left) || newest(right) - newest(left),
  name: (left, right) => left.app < right.app ? -1 : left.app > right.app ? 1 : left.key < right.key ? -1 : 1,
});

/** @param {Phone} phone */
function findingCount(phone) {
  return phone.requests.reduce((count, request) => count + request.findings.length, 0);
}

/**
 * A name that is cut in its middle where it is long, since names differ at their ends.
 * @param {string} text
 */
function cut(text) {
  return el('span', {title: text}, text.length > 48 ? `${text.slice(0, 24)}…${text.slice(-20)}` : text);
}

// MARK: Lists of which only the visible rows exist

/**
 * @template Item
 */
class List {
  /**
   * @param {string} id
   * @param {number} height
   * @param {{key: (item: Item) => string, version: (item: Item) => number, row: (item: Item) => Node[],
   *   open: (item: Item) => void}} parts
   */
  constructor(id, height, parts) {
    this.element = $(id);
    this.id = id;
    this.height = height;
    this.parts = parts;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Item[] | null} - newer items than those shown, while somebody looks at the list */
    this.waiting = null;
    this.active = 0;
    this.selected = '';
    /** Whether the selected item is to be scrolled to as soon as it is there. */
    this.isSought = false;
    /** @type {Map<string, any>} */
    this.rows = new Map();
    this.inner = el('div', {role: 'presentation'});
    this.element.append(this.inner);
    this.element.addEventListener('scroll', () => {
      this.draw();
      change();
    });
    this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.press(event));
    this.element.addEventListener('focus', () => this.draw());
    this.more = $(`more-${id}`);
    this.more.addEventListener('click', () => {
      this.element.scrollTop = 0;
      this.release();
    });
    for (const left of ['pointerleave', 'blur']) this.element.addEventListener(left, () => this.isHeld || this.release());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** Whether the pointer or the focus is in the list, so that nothing in it may move. */
  get isHeld() {
    return this.element.matches(':hover, :focus');
  }

  /**
   * Shows items, or keeps the order of those that are shown while the list is held.
   * @param {Item[]} items
   * @param {boolean} [isOther] - whether they answer another question, so that the order of before says nothing
   */
  show(items, isOther = false) {
    const {key} = this.parts;
    this.waiting = null;
    let count = 0;
    if (this.isHeld && !isOther && this.items.length > 0) {
      const left = new Map(items.map((item) => [key(item), item]));
      const kept = this.items.flatMap((item) => left.get(key(item)) || []);
      count = items.length - kept.length;
      const moved = items.some((item, index) => item !== kept[index]);
      if (moved) [this.waiting, items] = [items, kept];
    }
    this.more.hidden = count === 0;
    setText(this.more, `${count.toLocaleString('en')} new`);
    const active = this.items[this.active];
    this.items = items;
    const index = active ? items.findIndex((item) => key(item) === key(active)) : -1;
    this.active = index >= 0 ? index : Math.min(this.active, Math.max(0, items.length - 1));
    this.inner.style.height = `${items.length * this.height}px`;
    this.element.hidden = items.length === 0;
    this.draw();
    if (this.isSought) this.seek();
  }

  /** Shows what waited. */
  release() {
    if (!this.waiting) return;
    this.show(this.waiting, true);
    change();
  }

  draw() {
    const top = this.element.scrollTop;
    const first = Math.max(0, Math.floor(top / this.height) - 2);
    const last = Math.min(this.items.length, Math.ceil((top + this.element.clientHeight) / this.height) + 2);
    const wanted = new Map();
    for (let index = first; index < last; index += 1) wanted.set(this.parts.key(this.items[index]), index);
    for (const [key, row] of this.rows) {
      if (wanted.has(key)) continue;
      row.remove();
      this.rows.delete(key);
    }
    for (const [key, index] of wanted) this.place(key, index);
    const active = this.items[this.active];
    const row = active && this.rows.get(this.parts.key(active));
    if (row) this.element.setAttribute('aria-activedescendant', row.id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  /**
   * @param {string} key
   * @param {number} index
   */
  place(key, index) {
    const item = this.items[index];
    let row = this.rows.get(key);
    if (!row) {
      row = el('div', {class: 'row', role: 'option', id: `${this.id}-${index}-${Math.random().toString(36).slice(2, 8)}`});
      row.addEventListener('click', () => {
        this.active = this.items.findIndex((other) => this.parts.key(other) === key);
        this.parts.open(this.items[this.active]);
      });
      this.rows.set(key, row);
      this.inner.append(row);
      row.version = -1;
    }
    row.style.height = `${this.height}px`;
    row.style.top = `${index * this.height}px`;
    row.setAttribute('aria-setsize', String(this.items.length));
    row.setAttribute('aria-posinset', String(index + 1));
    row.setAttribute('aria-selected', String(key === this.selected));
    row.classList.toggle('active', index === this.active);
    if (row.version === this.parts.version(item)) return;
    row.version = this.parts.version(item);
    row.replaceChildren(...this.parts.row(item));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const steps = /** @type {Record<string, number>} */ ({
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    });
    if (event.key === 'Enter' && this.items[this.active]) {
      event.preventDefault();
      this.parts.open(this.items[this.active]);
    } else if (event.key in steps) {
      event.preventDefault();
      this.active = Math.max(0, Math.min(this.items.length - 1, this.active + steps[event.key]));
      this.reveal(this.active);
    }
  }

  /** @param {number} index */
  reveal(index) {
    const {element, height} = this;
    if (index * height < element.scrollTop) element.scrollTop = index * height;
    const bottom = (index + 1) * height - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
    this.draw();
  }

  /**
   * Marks the item of a key.
   * @param {string} key
   */
  select(key) {
    if (this.selected === key) return;
    this.selected = key;
    this.isSought = key !== '';
    this.seek();
    this.draw();
  }

  /** Scrolls to the selected item. */
  seek() {
    const index = this.items.findIndex((item) => this.parts.key(item) === this.selected);
    if (index < 0 || this.element.clientHeight === 0) return;
    this.isSought = false;
    this.active = index;
    this.reveal(index);
  }

  /** @param {number} steps - how far to go from the active item, which is opened */
  move(steps) {
    this.active = Math.max(0, Math.min(this.items.length - 1, this.active + steps));
    this.reveal(this.active);
    if (this.items[this.active]) this.parts.open(this.items[this.active]);
  }
}

/** How each level of findings is drawn. Its word stands beside it. */
const STYLE = {error: 'bad', warning: 'warn', note: 'muted'};

/**
 * How many findings there are of each level, the worst first: 1 error, 2 warnings.
 * @param {Finding[]} findings
 */
function findingsText(findings) {
  const counts = LEVELS.map((level) => findings.filter((finding) => levelOf(finding) === level).length);
  return LEVELS.flatMap((level, index) => counts[index] > 0 ? [counted(counts[index], level)] : []).join(', ');
}

/** @param {Finding[]} findings */
function findingsBadge(findings) {
  if (findings.length === 0) return null;
  const worst = LEVELS.find((level) => findings.some((finding) => levelOf(finding) === level)) || 'note';
  return el('span', {class: `keep ${STYLE[worst]}`}, findingsText(findings));
}

/** @type {List<Phone>} */
let phoneList;
/** @type {List<Asked>} */
let requestList;

function makeLists() {
  phoneList = new List('phones', HEIGHT.phone, {
    key: (phone) => phone.key,
    version: (phone) => phone.version,
    open: (phone) => go(`phones/${encodeURIComponent(phone.key)}`, 'requests'),
    row: (phone) => {
      const told = telling(phone);
      const {fine, coarse, revenue} = valuesOf(told);
      const last = phone.requests[phone.requests.length - 1];
      const values = [fine !== '' && `fine ${fine}`, coarse, revenue].filter(Boolean).join(' · ');
      const life = [windowOf(told), snippetOf(told)].filter(Boolean).join(' · ');
      return [
        el('div', {class: 'line'}, phone.unseen > 0 && el('span', {class: 'keep new', title: 'not seen yet'}, `${phone.unseen.toLocaleString('en')} new`),
          el('b', {class: 'fill'}, phone.id ? cut(shown(phone.app)) : nameOf(phone)),
          el('span', {class: 'keep muted number'}, phone.id ? shown(phone.id.id).slice(0, 8) : '')),
        el('div', {class: 'line'}, el('span', {class: 'fill'}, shown(values) || counted(phone.requests.length, 'request'))),
        el('div', {class: 'line muted'}, el('span', {class: 'fill'}, life || (last ? instant(last.line.at) : '')),
          findingsBadge(phone.requests.flatMap((request) => request.findings))),
      ];
    },
  });
  requestList = new List('requests', HEIGHT.request, {
    key: (request) => String(request.n),
    version: (request) => request.version,
    open: (request) => go(`phones/${encodeURIComponent(request.phone)}/${request.n}`, 'request-title'),
    row: (request) => {
      const first = firstCallOf(request);
      return [
        el('div', {class: 'line'},
          el('span', {class: 'keep muted time', title: instant(request.line.at)},
            first ? `+${span(request.line.at - first)}` : instant(request.line.at).slice(11, 19)),
          el('b', {class: 'fill'}, cut(shown(request.event))),
          findingsBadge(request.findings),
          el('span', {class: `keep number ${request.failed ? 'bad' : ''}`}, changeText(request))),
        el('div', {class: 'line muted'}, el('span', {class: 'fill'}, shown(request.line.explanation)),
          request.together.length > 0 && el('span', {class: 'keep warn'}, 'overlaps')),
      ];
    },
  });
}

// MARK: Drawing the page

let isDue = false;
let lastDrawn = 0;

/** Draws the page soon, at most ten times a second. */
function change() {
  if (isDue) return;
  isDue = true;
  setTimeout(() => requestAnimationFrame(draw), Math.max(0, PAUSE.page - (performance.now() - lastDrawn)));
}

function draw() {
  isDue = false;
  lastDrawn = performance.now();
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  main.dataset.drawn = String(Number(main.dataset.drawn || 0) + 1);
  drawHead();
  if (chosen.view === 'phones') drawPhones();
  if (chosen.view === 'model') drawModel();
  if (chosen.view === 'trouble') drawTrouble();
  if (chosen.view === 'take') drawDownloads();
}

/**
 * Sets a text only where it differs, so that a screen reader does not read it again.
 * @param {any} element
 * @param {string} text
 */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function drawHead() {
  setText($('status'), trouble ? `Not live: ${trouble}` : 'Live');
  const unseen = [...phones.values()].reduce((count, phone) => count + phone.unseen, 0);
  const title = `${unseen > 0 ? `(${unseen.toLocaleString('en')}) ` : ''}skan serve`;
  if (document.title !== title) document.title = title;
  $('status').className = trouble ? 'bad' : '';
  setText($('pending-count'), pending.length ? ` (${pending.length})` : '');
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#/${chosen.view}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  for (const view of document.querySelectorAll('main > section')) {
    /** @type {HTMLElement} */ (view).hidden = view.id !== `${chosen.view}-view`;
  }
}

function drawPhones() {
  const all = [...phones.values()];
  const some = all.filter((phone) => search.terms.length === 0 || foundOf(phone).length > 0)
    .sort(ORDERS[$('sort').value] || ORDERS.newest);
  const [count, most] = [some, all].map((list) => list.filter((phone) => phone.id).length);
  const texts = [count, most].map((number) => number.toLocaleString('en'));
  setText($('phone-count'), most ? (search.text ? `${texts[0]} of ${texts[1]}` : texts[1]) : '');
  $('none-found').hidden = all.length === 0 || some.length > 0;
  $('no-phones').hidden = all.length > 0;
  $('phones-view').classList.toggle('empty', all.length === 0);
  $('not-kept').hidden = firstKept <= 1;
  setText($('not-kept'), `Requests before number ${firstKept} are not kept.`);
  const question = `${search.text} ${$('sort').value}`;
  phoneList.show(some, drawn.question !== question);
  // With room for both, a phone is shown beside the list from the start.
  if (!chosen.phone && !isNarrow.matches && some.length) chosen.phone = (some.find((phone) => phone.id) || some[0]).key;
  phoneList.select(chosen.phone);
  drawn.question = question;
  see();
  const phone = phones.get(chosen.phone);
  const request = phone && requests.get(chosen.request);
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  main.dataset.depth = request ? '3' : phone ? '2' : '1';
  $('phone-pane').hidden = !phone;
  $('request-pane').hidden = !request;
  $('phones-view').classList.toggle('open', Boolean(request));
  if (phone) drawPhone(phone);
  if (request && phone) drawRequest(request, phone);
}

/** Takes the mark from phones whose rows have been in view for a while. */
function see() {
  const now = performance.now();
  for (const key of document.hidden ? [] : phoneList.rows.keys()) {
    const phone = phones.get(key);
    if (!phone || phone.unseen === 0) continue;
    if (phone.shownAt === 0) {
      phone.shownAt = now;
      setTimeout(change, SEEN);
    } else if (now - phone.shownAt >= SEEN - 1) {
      [phone.unseen, phone.shownAt] = [0, 0];
      phone.version = ++changes;
      change();
    }
  }
}

/** What is drawn in the panes, so that it is drawn again only when it changes. */
const drawn = {phone: '', life: '', request: '', question: '', list: '', lifeAt: 0, isAsking: false};
/** @type {Life | null} */
let life = null;

/** @param {Phone} phone */
function drawPhone(phone) {
  const mark = `${phone.key} ${phone.version}`;
  if (drawn.phone !== mark) {
    drawn.phone = mark;
    const told = telling(phone);
    const {fine, coarse, revenue} = valuesOf(told);
    const last = phone.requests[phone.requests.length - 1];
    setText($('phone-title'), nameOf(phone));
    $('phone-facts').replaceChildren(...facts([
      ['Identifier', phone.id && `${phone.id.kind} ${shown(phone.id.id)}`], ['Snippet', snippetOf(told)],
      ['Window', windowOf(told)], ['Fine value', shown(fine)], ['Coarse value', shown(coarse)], ['Revenue', revenue],
      ['Last request', last ? instant(last.line.at) : ''],
      ['Findings', phone.id && (findingsText(phone.requests.flatMap((request) => request.findings)) || 'none')],
    ]));
    $('phone-actions').replaceChildren(...(phone.id ? [
      el('a', {href: '#/trouble'}, 'Trouble for this phone'),
      el('a', {href: `/page/list?${query(phone)}`, download: ''}, 'Its event list'),
      el('a', {href: `/page/svg?${query(phone)}`, download: ''}, 'Its drawing'),
    ] : []));
  }
  const some = foundOf(phone);
  const texts = [some.length, phone.requests.length].map((number) => number.toLocaleString('en'));
  setText($('request-count'), some.length < phone.requests.length ? `${texts[0]} of ${texts[1]}` : texts[1]);
  const list = `${phone.key} ${search.text}`;
  requestList.show(some, drawn.list !== list);
  drawn.list = list;
  requestList.select(String(chosen.request));
  $('life-box').hidden = !phone.id;
  if (phone.id) drawLife(phone);
}

/**
 * Asks for the drawing of a phone's life when it has changed, at most once a second.
 * @param {Phone} phone
 */
async function drawLife(phone) {
  const mark = `${phone.key} ${phone.requests.length ? phone.requests[phone.requests.length - 1].version : 0}`;
  if (drawn.life === mark || drawn.isAsking) return;
  const isOther = !drawn.life.startsWith(`${phone.key} `);
  const wait = isOther ? 0 : PAUSE.life - (performance.now() - drawn.lifeAt);
  if (wait > 0) return void setTimeout(change, wait);
  if (isOther) $('life').replaceChildren();
  if (isOther) setText($('life-note'), 'Drawing…');
  drawn.isAsking = true;
  drawn.lifeAt = performance.now();
  const answer = await ask(`/page/phone?${query(phone)}`);
  drawn.isAsking = false;
  drawn.life = mark;
  if (chosen.phone === phone.key) {
    life = answer.value || null;
    $('life').replaceChildren(...(life && life.svg ? [drawing(life.svg)] : []));
    setText($('life-note'), life ? life.note : answer.reason);
    drawn.request = '';
  }
  change();
}

/**
 * The drawing as elements: those that the server's drawings have, and no others.
 * @param {string} text
 */
function drawing(text) {
  const known = ['svg', 'title', 'desc', 'defs', 'pattern', 'rect', 'text', 'tspan', 'path', 'circle', 'g'];
  const parsed = new DOMParser().parseFromString(text.replace('<svg', `<svg xmlns="${SVG}"`), 'image/svg+xml').documentElement;
  /** @param {Element} from */
  const copy = (from) => {
    const to = document.createElementNS(SVG, from.localName);
    for (const {name, value} of from.attributes) if (!/^(on|style|href|xlink|xmlns)/i.test(name)) to.setAttribute(name, value);
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent || '');
      if (child instanceof Element && known.includes(child.localName)) to.append(copy(child));
    }
    return to;
  };
  return parsed.localName === 'svg' ? copy(parsed) : el('p', {}, 'The drawing cannot be shown.');
}

// MARK: One request

/**
 * What the server says about the open request; its texts are empty until they are there.
 * @type {Details | null}
 */
let details = null;

/**
 * Asks for the texts of a request, once.
 * @param {number} n
 */
async function loadDetails(n) {
  if (details && details.n === n) return;
  const asked = {n, answer: '', curl: null, reason: ''};
  details = asked;
  const {value, reason} = await ask(`/page/request?${new URLSearchParams({n: String(n), origin: location.origin})}`);
  if (details !== asked) return;
  details = {n, answer: value ? value.answer || '(empty)' : '', curl: value ? value.curl : null, reason};
  drawn.request = '';
  change();
}

/**
 * @param {Asked} request
 * @param {Phone} phone
 */
function drawRequest(request, phone) {
  loadDetails(request.n);
  const mark = `${request.n} ${request.version}`;
  if (drawn.request === mark) return;
  const isOther = !drawn.request.startsWith(`${request.n} `) && drawn.request !== '';
  drawn.request = mark;
  const {line} = request;
  const pane = $('request-pane');
  const had = document.activeElement && document.activeElement.id === 'request-title';
  const first = firstCallOf(request);
  const step = life && life.steps.find((step) => step.n === request.n);
  pane.replaceChildren(
    el('div', {class: 'bar'}, el('a', {class: 'back', href: `#/phones/${encodeURIComponent(phone.key)}`}, 'All requests'),
      el('h2', {id: 'request-title', tabindex: '-1'}, shown(request.event))),
    el('dl', {class: 'facts'}, ...facts([
      ['Time of the phone', instant(line.at)], ['Since the first call', first ? span(line.at - first) : ''],
      ['Value', changeText(request)], ['Status', String(line.status)], ['Number', String(request.n)],
      ['Under way with', request.together.map((n) => `request ${n}`).join(', ')],
    ])),
    el('p', {class: request.failed ? 'bad' : ''}, shown(line.explanation)),
    ...(request.findings.length ? [el('h3', {}, 'Findings'), findingsOf(request)] : []),
    el('h3', {}, 'Parameters'), parametersOf(request),
    el('h3', {}, 'Answer'), el('pre', {tabindex: '0', 'aria-label': 'Answer'}, details && details.answer),
    ...(details && details.reason ? [el('p', {class: 'bad'}, details.reason)] : []),
    ...(details && details.curl ? [el('h3', {}, 'With curl'), ...copyable('curl', details.curl)] : []),
    ...(step ? [el('h3', {}, 'As a step of an event list'), ...copyable('Step', step.line)] : []));
  if (isOther) pane.scrollTop = 0;
  if (had) $('request-title').focus();
}

/** @param {Asked} request */
function findingsOf(request) {
  return el('ul', {class: 'findings'}, ...request.findings.map((finding) => {
    const rule = rules.get(finding.rule);
    const level = levelOf(finding);
    return el('li', {class: STYLE[level]},
      el('b', {}, `${level}: ${finding.rule}`), el('p', {}, shown(finding.message)),
      rule && el('p', {}, el('b', {}, 'Remedy: '), rule.remedy),
      rule && el('p', {class: 'muted'}, `${rule.text} Rests on ${rule.basis}.`));
  }));
}

/**
 * The parameters of a request, and those that its findings miss.
 * @param {Asked} request
 */
function parametersOf(request) {
  const names = [...new Set([...Object.keys(request.sent), ...request.findings.flatMap((finding) => finding.parameters)])];
  if (names.length === 0) return el('p', {class: 'hint'}, 'It has none.');
  const order = [...parameters.keys()];
  const place = (/** @type {string} */ name) => (order.indexOf(name) + 1) || order.length + 1;
  names.sort((a, b) => place(a) - place(b));
  const rows = names.map((name) => {
    const known = parameters.get(name);
    const about = request.findings.filter((finding) => finding.parameters.includes(name));
    const isSent = Object.hasOwn(request.sent, name);
    const value = isSent ? request.sent[name] : null;
    const isTime = /timestamp|_lock$|^utime$/.test(name) && Number(value) > 1e8;
    return el('tr', {},
      el('th', {scope: 'row'}, el('b', {}, shown(name)),
        value === null ? el('div', {class: 'muted'}, isSent ? 'without a value' : 'not sent') : el('div', {}, shown(value)),
        isTime && el('div', {class: 'muted'}, instant(Number(value)))),
      el('td', {}, known ? known.meaning : 'not documented',
        known && el('div', {class: 'muted'}, `Expected: ${known.expected}`),
        ...about.map((finding) => el('div', {class: STYLE[levelOf(finding)]}, `${levelOf(finding)}: ${shown(finding.message)}`))));
  });
  const head = el('thead', {}, el('tr', {}, ...['Parameter', 'Meaning'].map((name) => el('th', {scope: 'col'}, name))));
  return el('table', {id: 'parameters'}, head, el('tbody', {}, ...rows));
}

// MARK: The model

function drawModel() {
  if (!setup) return;
  const models = setup.models;
  const phone = phones.get(chosen.phone);
  const parts = models.map((model) => {
    const {given, now, next} = standing(model, models, phone);
    const most = Math.max(1, ...[...given.values()].map((entry) => entry.count));
    const rows = model.values.map((step) => {
      const name = stepName(step);
      const entry = given.get(name);
      const count = entry ? entry.count : 0;
      const meter = el('span', {class: 'meter'});
      meter.style.width = `${count / most * 100}%`;
      return el('tr', {class: now === name ? 'current' : ''},
        el('th', {scope: 'row'}, step.kind === 'fine' ? step.value : `P${step.window} ${step.value}`,
          now === name && el('div', {class: 'muted'}, 'now'), next === name && el('div', {class: 'muted'}, 'next')),
        el('td', {}, step.meaning, step.never && el('div', {class: 'warn'}, `Never given: ${step.never}`),
          entry && el('div', {class: 'muted'}, 'Given to ', phonesOf(entry.phones))),
        el('td', {class: 'number'}, String(count), count > 0 && meter));
    });
    const head = ['Value', 'What a phone has done', 'Answers'];
    return el('div', {}, el('h3', {}, model.app ? shown(model.app) : 'Every app without a model of its own'),
      phone && (now || next) && el('p', {}, `${nameOf(phone)} is marked.`),
      el('div', {class: 'wide'}, el('table', {class: 'ladder'},
        el('thead', {}, el('tr', {}, ...head.map((text) => el('th', {scope: 'col'}, text)))), el('tbody', {}, ...rows))));
  });
  if (parts.length === 0) parts.push(el('p', {class: 'hint'}, 'The server has no model: start it with --model FILE.'));
  $('model').replaceChildren(...parts);
}

/** @param {Step} step */
function stepName(step) {
  return step.kind === 'fine' ? `fine ${step.value}` : `${step.kind} ${step.window} ${step.value}`;
}

/**
 * Which values of a model were given how often, and where a phone stands.
 * @param {Model} model
 * @param {Model[]} models
 * @param {Phone | undefined} phone
 */
function standing(model, models, phone) {
  /** @type {Map<string, {count: number, phones: Set<string>}>} */
  const given = new Map();
  const isOurs = (/** @type {string} */ app) =>
    model.app ? app === model.app : !models.some((other) => other.app === app);
  const add = (/** @type {string} */ name, /** @type {string} */ key) => {
    const entry = given.get(name) || {count: 0, phones: new Set()};
    entry.count += 1;
    entry.phones.add(key);
    given.set(name, entry);
  };
  for (const request of requests.values()) {
    if (request.after === '' || !isOurs(request.sent.i || '')) continue;
    const index = request.answer.postback_sequence_index || 0;
    if (index === 0) add(`fine ${request.after}`, request.phone);
    if (request.coarse) add(`coarse ${index} ${request.coarse}`, request.phone);
    if (request.locks) add(`lock ${index} lock`, request.phone);
  }
  if (!phone || !isOurs(phone.app)) return {given, now: '', next: ''};
  const fine = Number(valuesOf(telling(phone)).fine);
  const next = model.values.find((step) => step.kind === 'fine' && Number(step.value) > fine && !step.never);
  return {given, now: `fine ${fine}`, next: next ? stepName(next) : ''};
}

/** @param {Set<string>} keys */
function phonesOf(keys) {
  const most = 3;
  const links = [...keys].slice(0, most).flatMap((key, index) => {
    const phone = phones.get(key);
    const link = el('a', {href: `#/phones/${encodeURIComponent(key)}`}, phone && phone.id ? shown(phone.id.id).slice(0, 8) : key);
    return index > 0 ? [', ', link] : [link];
  });
  return el('span', {}, ...links, keys.size > most && ` and ${keys.size - most} more`);
}

// MARK: Postbacks

async function drawPostbacks() {
  const answer = await ask('/page/postbacks');
  if (!answer.value) return void $('postbacks').replaceChildren(el('p', {class: 'bad'}, answer.reason));
  /** @type {{count: number, totals: any[], records: string[]}} */
  const {count, totals, records: lines} = answer.value;
  const records = lines.map((line) => JSON.parse(line));
  const rows = [...records].reverse().map((record) => el('tr', {},
    el('td', {class: 'time'}, shown(record.received_at.replace('T', ' ').replace('Z', ''))),
    el('td', {class: record.signature === 'valid' ? (record.key === 'development' ? '' : 'good') : record.signature === 'invalid' ? 'bad' : 'warn'},
      shown([record.signature, record.key].filter(Boolean).join(', ')), record.why && el('div', {class: 'muted'}, shown(record.why))),
    el('td', {class: record.repetition === 'conflict' ? 'bad' : ''}, shown(record.repetition)),
    el('td', {}, shown(meaningOf(record)),
      ...record.findings.map((/** @type {{message: string}} */ finding) => el('div', {class: 'warn'}, shown(finding.message)))),
    el('td', {}, shown(record.campaign ? record.campaign.name || record.campaign.id || '' : ''))));
  const head = ['Received', 'Signature', 'Copy', 'Meaning', 'Campaign'];
  const parts = [
    ...totals.flatMap((total) => [
      el('h3', {}, total.key === 'unverified' ? 'Not verified' : `Signed with the key: ${total.key}`),
      el('dl', {class: 'facts'}, ...facts(total.key === 'unverified'
        ? [['Invalid', String(total.invalid)], ['Not checked', String(total.not_checked)]]
        : [['Installs', String(total.installs)], ['Redownloads', String(total.redownloads)],
          ['Not won', String(total.not_won)], ['P0, P1, P2', total.windows.join(', ')],
          ['Duplicates', String(total.duplicates)], ['Conflicts', String(total.conflicts)]])),
    ]),
    el('h3', {}, 'Since the server started'),
    count > records.length && el('p', {class: 'hint'}, `The last ${records.length} of ${count}.`),
    records.length === 0 && el('p', {class: 'hint'},
      'None has come since the server started. Apple sends them to ', el('code', {}, `${location.origin}/.well-known/skadnetwork/report-attribution/`),
      ', where the domain is that of NSAdvertisingAttributionReportEndpoint.'),
    records.length > 0 && el('div', {class: 'wide'}, el('table', {},
      el('thead', {}, el('tr', {}, ...head.map((text) => el('th', {scope: 'col'}, text)))), el('tbody', {}, ...rows))),
  ];
  $('postbacks').replaceChildren(...parts.filter(Boolean));
}

/** @param {any} record */
function meaningOf(record) {
  const decoded = record.decoded;
  if (decoded && decoded.meaning) return `${decoded.value}: ${decoded.meaning}`;
  if (decoded && decoded.undecoded) return `${decoded.value}: ${decoded.undecoded}`;
  return decoded ? 'no value' : 'no model';
}

// MARK: Trouble on demand

/** What the choices of the form are made of, so that a choice stays while nothing changes. */
let offered = '';

function drawTrouble() {
  const select = $('trouble-phone');
  const some = [...phones.values()].filter((phone) => phone.id).sort(ORDERS.newest);
  const mark = some.map((phone) => phone.key + phone.app).join() + chosen.phone;
  if (offered !== mark) {
    const value = offered === '' || !select.value ? chosen.phone : select.value;
    offered = mark;
    select.replaceChildren(el('option', {value: ''}, 'the next phone that asks'),
      ...some.map((phone) => el('option', {value: phone.key}, nameOf(phone))));
    select.value = some.some((phone) => phone.key === value) ? value : '';
  }
  if (setup && $('trouble-fault').options.length === 0) {
    $('trouble-fault').replaceChildren(el('option', {value: ''}, 'none: only the delay'),
      ...setup.faults.map(({name, effect}) => el('option', {value: name}, `${name}: ${effect}`)),
      el('option', {value: 'status-'}, 'status-NNN: the HTTP status'));
    $('trouble-fault').value = 'illegal-values';
  }
  const mark2 = JSON.stringify(pending);
  if ($('pending').dataset.shown === mark2) return;
  $('pending').dataset.shown = mark2;
  $('no-pending').hidden = pending.length > 0;
  $('pending').replaceChildren(...pending.map((item) => el('li', {}, troubleText(item), ' ',
    el('button', {type: 'button', 'aria-label': `Take back: ${troubleText(item)}`, onclick: () => takeBack(item.id)}, 'Take back'))));
}

/** @param {Trouble} item */
function troubleText(item) {
  const phone = item.phone && phones.get(keyOf(item.phone));
  const who = item.phone ? (phone ? nameOf(phone) : shown(`${item.phone.app} ${item.phone.id}`)) : 'the next phone that asks';
  return [item.fault, item.delay > 0 && `${item.delay} s late`].filter(Boolean).join(', ') + ` for ${who}`;
}

/** @param {SubmitEvent} event */
async function askForTrouble(event) {
  event.preventDefault();
  const name = $('trouble-fault').value;
  const phone = phones.get($('trouble-phone').value);
  const answer = await ask('/page/trouble', {method: 'POST', body: JSON.stringify({
    fault: name === 'status-' ? name + $('trouble-status').value : name || null,
    delay: Number($('trouble-delay').value), phone: phone ? phone.id : null,
  })});
  $('trouble-answer').textContent = answer.value ? 'Asked for. It waits for the answer.' : answer.reason;
  $('trouble-answer').className = answer.value ? 'good' : 'bad';
  if (answer.value) pending = answer.value;
  change();
}

/** @param {number} id */
async function takeBack(id) {
  const answer = await ask(`/page/trouble?id=${id}`, {method: 'DELETE'});
  $('trouble-answer').textContent = answer.value ? 'Taken back.' : answer.reason;
  if (answer.value) pending = answer.value;
  change();
}

// MARK: Taking it away

function drawDownloads() {
  const phone = phones.get(chosen.phone);
  const mark = `${chosen.phone} ${phone ? nameOf(phone) : ''}`;
  if ($('downloads').dataset.shown === mark) return;
  $('downloads').dataset.shown = mark;
  const date = new Date().toISOString().slice(0, 10);
  /** @type {[string, string, string][]} */
  const files = [
    ['/journal', 'Journal', 'every request and answer, as JSON Lines; skan check reads it'],
    ['/page/list', 'Event list of all phones', 'skan replay runs it'],
    ['/page/report', 'Report', 'findings, drawings and requests in one HTML file'],
  ];
  if (phone && phone.id) {
    files.push([`/page/list?${query(phone)}`, `Event list of ${nameOf(phone)}`, 'skan replay runs it']);
    files.push([`/page/svg?${query(phone)}`, `Drawing of ${nameOf(phone)}`, 'an SVG file']);
  }
  $('downloads').replaceChildren(...files.map(([path, name, text]) => el('li', {},
    el('a', {href: path, download: path === '/journal' ? `skan-journal-${date}.jsonl` : ''}, name), el('div', {class: 'muted'}, text))));
}

// MARK: The server

/**
 * Asks for JSON.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<{value?: any, reason: string}>}
 */
async function ask(path, options) {
  try {
    const response = await fetch(path, options);
    const value = await response.json();
    if (response.ok) return {value, reason: ''};
    return {reason: value.reason || `The server answers ${response.status}.`};
  } catch {
    return {reason: 'The server does not answer.'};
  }
}

async function loadSetup() {
  const {value} = await ask('/page/setup');
  if (!value) return false;
  setup = /** @type {Setup} */ (value);
  for (const rule of value.rules) rules.set(rule.rule, rule);
  for (const parameter of value.parameters) parameters.set(parameter.name, parameter);
  $('postbacks-link').hidden = !value.takes_postbacks;
  return true;
}

async function connect() {
  // Rules and models are needed to understand the lines.
  if (!await loadSetup()) {
    trouble = 'the server does not answer; trying again';
    change();
    return void setTimeout(connect, 1000);
  }
  const source = new EventSource('/events');
  source.addEventListener('open', () => { trouble = ''; change(); });
  source.addEventListener('error', () => {
    trouble = 'the server does not answer; trying again';
    change();
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  });
  source.addEventListener('reset', (event) => {
    const {run, first, end} = JSON.parse(event.data);
    requests.clear();
    phones.clear();
    details = null;
    firstKept = first;
    firstNew = end;
    // Another run may have other models, and begins to count anew.
    if (setup && run !== setup.run) loadSetup().then(change);
    if (chosen.view === 'postbacks') drawPostbacks();
    change();
  });
  source.addEventListener('line', (event) => { take(JSON.parse(event.data)); change(); });
  source.addEventListener('trouble', (event) => { pending = JSON.parse(event.data); change(); });
  source.addEventListener('postbacks', () => { if (chosen.view === 'postbacks') drawPostbacks(); });
}

// MARK: Addresses within the page

/**
 * @param {string} path
 * @param {string} focus - the element that gets the focus
 */
function go(path, focus) {
  location.hash = `#/${path}`;
  route();
  draw();
  const element = $(focus);
  if (element) element.focus({preventScroll: isNarrow.matches});
}

/**
 * A part of an address; as it is where its encoding is broken.
 * @param {string} text
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Writes the search into the address, so that it can be shared. */
function writeAddress() {
  const path = location.hash.split('?')[0] || '#/phones';
  const hash = chosen.view === 'phones' && search.text ? `${path}?q=${encodeURIComponent(search.text)}` : path;
  if (hash !== location.hash) history.replaceState(null, '', hash);
}

function route() {
  const [path, query] = location.hash.replace(/^#\//, '').split('?');
  const [view, phone, request] = path.split('/');
  if (query) {
    $('filter').value = new URLSearchParams(query).get('q') || '';
    readSearch($('filter').value);
  }
  chosen.view = ['phones', 'model', 'postbacks', 'trouble', 'take'].includes(view) ? view : 'phones';
  if (chosen.view === 'phones') {
    const key = phone ? decoded(phone) : chosen.phone;
    if (key !== chosen.phone) {
      life = null;
      requestList.active = 0;
    }
    // The list of phones alone is the way back on a narrow screen.
    chosen.phone = phone || !isNarrow.matches ? key : '';
    chosen.request = Number(request || 0);
  }
  writeAddress();
  if (chosen.view === 'postbacks') drawPostbacks();
  change();
}

/**
 * The keys of the whole page; a list and a field have their own.
 * @param {KeyboardEvent} event
 */
function press(event) {
  const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping && event.key !== 'Escape' || $('keys').open) return;
  const isInRequests = chosen.request > 0 || document.activeElement === requestList.element;
  const back = chosen.request ? `phones/${encodeURIComponent(chosen.phone)}` : 'phones';
  const actions = /** @type {Record<string, () => void>} */ ({
    'j': () => (isInRequests ? requestList : phoneList).move(1),
    'k': () => (isInRequests ? requestList : phoneList).move(-1),
    '/': () => $('filter').focus(),
    '?': () => $('keys').showModal(),
    'Escape': () => isTyping ? $('phones').focus() : go(back, chosen.request ? 'requests' : 'phones'),
  });
  if (!(event.key in actions) || chosen.view !== 'phones' && event.key !== '?') return;
  event.preventDefault();
  actions[event.key]();
}

function start() {
  makeLists();
  setText($('address'), `${location.origin}/api/v2/conversion_value`);
  setText($('first-command'), `skan register\nskan session --endpoint ${location.origin}`);
  $('filter').addEventListener('input', () => {
    readSearch($('filter').value);
    writeAddress();
    change();
  });
  $('sort').addEventListener('change', change);
  addEventListener('keydown', press);
  addEventListener('visibilitychange', change);
  $('trouble-form').addEventListener('submit', askForTrouble);
  $('trouble-fault').addEventListener('change', () => {
    $('trouble-status-box').hidden = $('trouble-fault').value !== 'status-';
  });
  addEventListener('hashchange', route);
  route();
  connect();
}

start();
