/// What the page of a replay looks like besides ``HTMLStyle``. What failed is said in words; a border only repeats it.
enum HTMLReportStyle {
  static let text = """
    article{border-left:4px solid var(--bar);padding:.1rem 0 .1rem .9rem;margin:1rem 0}article h3{margin:.25rem 0}
    a{color:inherit}:target{background:var(--soft);outline:2px solid var(--bar)}
    pre{background:var(--soft);border:1px solid var(--rule);border-radius:6px;padding:.5rem .75rem;overflow-x:auto;\
    font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
    .steps td{text-align:left;vertical-align:top}.steps td:nth-child(4){white-space:normal}.fail{color:inherit;font-weight:600}
    section td.text{white-space:normal;overflow-wrap:anywhere;vertical-align:top}
    .life svg{max-width:40rem;height:auto}

    """
}
