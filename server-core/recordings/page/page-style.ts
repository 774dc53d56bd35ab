/** The style of a page, light and dark as the system is. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#fff,#16181d);--side:light-dark(#f6f7f9,#1c1f26);--text:light-dark(#1b1f24,#e4e7ec);
--dim:light-dark(#5a6472,#9aa4b2);--line:light-dark(#dfe3e8,#2c313b);--pick:light-dark(#dbe8ff,#24375c);--bad:light-dark(#b42318,#ff8a80);
--ok:light-dark(#1a7f37,#6fdd8b);--mark:light-dark(#fff4ce,#4a3f14);--focus:light-dark(#1f6feb,#79b0ff)}
*{box-sizing:border-box}
body{margin:0;height:100vh;display:grid;grid-template-rows:auto auto 1fr;background:var(--bg);color:var(--text);font:13px/1.45 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:8px 12px;border-bottom:1px solid var(--line)}
h1{font-size:14px;margin:0;overflow-wrap:anywhere}
#summary{color:var(--dim)}
header label{display:flex;gap:4px;align-items:center}label input{margin:0}
header form{display:flex;gap:8px;align-items:center;margin-left:auto}
input[type=search]{font:inherit;color:inherit;background:var(--side);border:1px solid var(--line);border-radius:4px;padding:3px 8px;width:240px}
#problems{margin:0;padding:6px 12px 6px 28px;background:var(--mark)}
#problems:empty{display:none}
main{display:grid;grid-template-columns:minmax(280px,45%) 1fr;min-height:0}
#rows{overflow:auto;position:relative;border-right:1px solid var(--line);background:var(--side)}
#rows:focus-visible,article:focus-visible{outline:2px solid var(--focus);outline-offset:-2px}
.row{position:absolute;left:0;right:0;height:24px;display:grid;grid-template-columns:96px 56px minmax(0,1fr) 70px;gap:8px;padding:2px 12px;white-space:pre;cursor:default}
.row>*{overflow:hidden;text-overflow:ellipsis}
.row[aria-selected=true]{background:var(--pick)}
.time,.row .took{color:var(--dim);font-variant-numeric:tabular-nums}
.took{text-align:right}
.row.error .what,.bad{color:var(--bad)}
.row.mark{background:var(--mark)}
article{overflow:auto;padding:12px}
article h2{font-size:13px;margin:0 0 4px;overflow-wrap:anywhere}
article section{margin:0 0 16px;border-top:1px solid var(--line);padding-top:8px}
pre{margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.5 ui-monospace,monospace}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 12px;margin:4px 0;font:12px/1.5 ui-monospace,monospace}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
@media(max-width:700px){main{grid-template-columns:1fr;grid-template-rows:50% 50%}#rows{border-right:0;border-bottom:1px solid var(--line)}}
`
