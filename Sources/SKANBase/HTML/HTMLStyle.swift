/// The look of a report's page, in light and dark: colours that the colour-blind can tell from the ground, as in the time line.
package enum HTMLStyle {
  package static let text = """
    :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--muted:#59636e;--rule:#d1d9e0;--soft:#f6f8fa;--bar:#58a6d6}
    @media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--muted:#9aa4b0;--rule:#30363d;--soft:#161b22;\
    --bar:#1f6fa8}}
    body{margin:0;background:var(--paper);color:var(--ink);\
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
    main{max-width:74rem;margin:0 auto;padding:1.5rem}
    h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:0 0 .75rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}
    p{margin:.25rem 0}p,li,caption{color:var(--muted)}
    section{border:1px solid var(--rule);border-radius:8px;padding:1.25rem;margin:1.5rem 0}
    dl{display:flex;flex-wrap:wrap;gap:.6rem;margin:0 0 .75rem}
    dl div{background:var(--soft);border:1px solid var(--rule);border-radius:6px;padding:.4rem .75rem;min-width:4rem}
    dt{color:var(--muted);font-size:.85rem}dd{margin:0;font-size:1.4rem;font-variant-numeric:tabular-nums}
    .wide{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
    th,td{padding:.3rem .6rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
    th{font-weight:600}tbody th{font-weight:400}th.text,td.text{text-align:left}tfoot td,tfoot th{font-weight:600;border-bottom:0}
    td.bar{width:40%;min-width:10rem;text-align:left}.bars td.bar{width:100%}.bars th,.bars td{border:0;padding:.1rem .6rem}
    td.bar span{display:inline-block;height:.9em;background:var(--bar);border-radius:2px;vertical-align:-.1em}
    td.bar b{font-weight:400;padding-left:.5em}
    details{margin:.5rem 0;border-top:1px solid var(--rule);padding-top:.5rem}summary{cursor:pointer}
    """
}
