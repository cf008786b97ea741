import { hash } from 'node:crypto'
import type { Response } from 'express'

const STYLE = `
:root { color-scheme: light dark; --text: #14191b; --dim: #55636a; --line: #d5dcdf; --link: #0b706b; --back: #fbfcfc; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dbe2e5; --dim: #9aa6ac; --line: #3a4247; --link: #76bfbb; --back: #14191b; }
}
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 "Segoe UI", -apple-system, "SF Pro Text", Inter, Cantarell, "Noto Sans", sans-serif; }
main { max-width: 640px; margin: 0 auto; padding: 12vh 24px 48px; }
header { display: flex; align-items: center; gap: 12px; margin-bottom: 16px; }
h1 { margin: 0; font-size: 24px; font-weight: 600; line-height: 1.3; }
h2 { margin: 32px 0 0; font-size: 16px; font-weight: 600; }
p { margin: 8px 0; }
.dim { color: var(--dim); }
dl { margin: 8px 0; border-bottom: 1px solid var(--line); }
dt { padding-top: 12px; border-top: 1px solid var(--line); }
dd { margin: 0; padding-bottom: 12px; }
code { font: 14px/1.5 ui-monospace, "Cascadia Mono", "SF Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
`

const MARK =
  '<svg width="32" height="32" viewBox="0 0 16 16" aria-hidden="true"><clipPath id="tile"><rect width="16" height="16" rx="3.5"/></clipPath><g clip-path="url(#tile)"><rect width="16" height="16" fill="#0f6066"/><path d="M3 13V3.5A1.5 1.5 0 0 1 4.5 2h7A1.5 1.5 0 0 1 13 3.5V13h-2V4H5v9z" fill="#fff"/><rect x="6" y="5" width="4" height="4" fill="#fff"/><path d="M0 12c1.3-1.35 2.7-1.35 4 0s2.7 1.35 4 0 2.7-1.35 4 0 2.7 1.35 4 0v4H0z" fill="#63cdc6"/></g></svg>'

/** No scripts, no external content and no framing. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sends an HTML page without scripts. `title`: also its heading, as text; `body`: HTML, and trusted. */
export function sendPage(response: Response, title: string, body: string): void {
  response
    .set({ 'Content-Security-Policy': PAGE_POLICY, 'Referrer-Policy': 'no-referrer' })
    .type('html')
    .send(plainPage(title, body))
}

function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${MARK}<h1>${title}</h1></header>
${body}
</main>
</body>
</html>
`
}
