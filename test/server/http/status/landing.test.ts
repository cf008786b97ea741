import { expect, test } from 'vitest'
import { VERSION } from '../../../../src/server/runtime/version.ts'
import { request, startServer } from '../../../support/servers/server.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const JSON_ANSWER = {
  name: 'Tidegate',
  version: VERSION,
  description: '/api/v1/openapi.json',
  health: '/healthz',
}

test('a browser gets a page of its own at the root', async () => {
  const { address } = await startServer()
  const { status, headers, text } = await request(address, 'GET', { headers: { accept: BROWSER } })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src data:; /,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('vary')).toBe('Accept')
  expect(text).toContain('<h1>Tidegate update server</h1>')
  expect(text).toContain(`Version ${VERSION}`)
  // Nothing from elsewhere, and every link leads somewhere.
  const links = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link]) => link)
  expect(links.sort()).toEqual(['/api/v1/openapi.json', '/healthz', 'data:,'])
  expect(text).not.toMatch(/https?:|<script|style=|@import|url\((?!#)/)
  for (const link of ['/api/v1/openapi.json', '/healthz']) {
    expect((await request(address + link, 'GET')).status).toBe(200)
  }
})

test('a program gets JSON at the root', async () => {
  const { address } = await startServer()
  for (const accept of [
    '*/*',
    'application/json',
    'application/json, text/html;q=0.9',
    'image/*',
  ]) {
    const { status, headers, body } = await request(address, 'GET', { headers: { accept } })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('vary')).toBe('Accept')
    expect(body).toEqual(JSON_ANSWER)
  }
})

test('HEAD at the root returns only the head, and counts against the limit of the address', async () => {
  const { address } = await startServer({ limits: { device: 4 } })
  for (const accept of [BROWSER, '*/*']) {
    const [get, head] = [
      await request(address, 'GET', { headers: { accept } }),
      await request(address, 'HEAD', { headers: { accept } }),
    ]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-length', 'content-type', 'content-security-policy', 'vary']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  }
  expect((await request(address, 'GET')).status).toBe(429)
})
