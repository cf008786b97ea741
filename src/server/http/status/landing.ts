import type { RequestHandler } from 'express'
import { landingPage, PAGE_POLICY } from './landing-page.ts'

/** `GET /`: a page for browsers, and JSON for all other clients. Both are made once. */
export function landing(version: string): RequestHandler {
  const page = Buffer.from(landingPage(version))
  const links = { description: '/api/v1/openapi.json', health: '/healthz' }
  const answer = Buffer.from(JSON.stringify({ name: 'Tidegate', version, ...links }))
  return (request, response) => {
    response.set({ 'Cache-Control': 'no-cache', Vary: 'Accept' })
    // JSON first, because most programs accept anything.
    if (request.accepts(['json', 'html']) !== 'html') {
      response.type('json').send(answer)
      return
    }
    response.set({
      'Content-Security-Policy': PAGE_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
    response.type('html').send(page)
  }
}
