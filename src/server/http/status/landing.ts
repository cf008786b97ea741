import type { RequestHandler } from 'express'
import { sendPage } from '../answer/plain-page.ts'
import type { ApiContext } from '../context.ts'
import { text } from '../strings.ts'

const words = text.landing

/** `GET /`: the console or else a page for browsers, and JSON for all other clients. */
export function landing(
  version: string,
  webConsole: ApiContext['webConsole'] = undefined,
): RequestHandler {
  const links = { description: '/api/v1/openapi.json', health: '/healthz' }
  const answer = Buffer.from(JSON.stringify({ name: 'Tidegate', version, ...links }))
  return (request, response) => {
    response.set({ 'Cache-Control': 'no-cache', Vary: 'Accept' })
    // JSON first, because most programs accept anything.
    if (request.accepts(['json', 'html']) !== 'html') {
      response.type('json').send(answer)
      return
    }
    if (webConsole?.reaches(request) === true) {
      response.redirect(302, './console/')
      return
    }
    response.set('Cross-Origin-Opener-Policy', 'same-origin')
    sendPage(response, words.title, landingPage(version))
  }
}

function landingPage(version: string): string {
  return `<p>${words.lead}</p>
<p class="dim">${words.version(version)}</p>
<h2>${words.forApps}</h2>
<dl>
<dt>${words.check}</dt>
<dd><code>GET /u/{app}/{channel}/{platform}/{arch}/{version}</code></dd>
<dt>${words.feed}</dt>
<dd><code>GET /feed/{app}/{channel}</code></dd>
</dl>
<h2>${words.forDevelopers}</h2>
<dl>
<dt><a href="/api/v1/openapi.json">${words.api}</a></dt>
<dd class="dim">${words.apiHint}</dd>
<dt><a href="/healthz">${words.health}</a></dt>
<dd class="dim">${words.healthHint}</dd>
</dl>
<p class="dim">${words.documentation}</p>`
}
