import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIVE_PROTOCOL } from '../../src/shared/console/bridge/web.ts'
import { freePort } from '../support/processes/ports.ts'
import { callConsole, mintKey } from './support/api.ts'
import { openInBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'

const KEY = { name: 'stolen', scopes: ['read'], app: null }

let opened: ReleaseConsole
let attacker: Server
let port = 0

beforeAll(async () => {
  opened = await openInBrowser()
  attacker = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Games</title>')
  })
  port = await freePort()
  attacker.listen(port, '127.0.0.1')
  await once(attacker, 'listening')
})
afterAll(async () => {
  await opened?.close()
  attacker?.closeAllConnections()
  attacker?.close()
})

/** Opens a page of the attacker in the browser of the person who is signed in, and closes it afterwards. */
async function onPageOf<T>(host: string, attack: (page: Page, target: string) => Promise<T>) {
  const page = await opened.page.context().newPage()
  try {
    await page.goto(`http://${host}:${port}/`)
    return await attack(page, `${opened.address}/console/`)
  } finally {
    await page.close()
  }
}

/** The names of all keys, which only a session sees. */
const keyNames = async () => JSON.stringify(await callConsole(opened.page, 'query', 'keys.list'))

test('the page of the console itself can do what the attacks try', async () => {
  await mintKey(opened)
  expect(await keyNames()).toContain('"pipeline"')
})

// A page on another port of the host is of the same site: its requests carry the cookie.
describe.each(['127.0.0.1', 'localhost'])('a page of %s on another port', (host) => {
  test('reads nothing and changes nothing by fetch', async () => {
    const outcomes = await onPageOf(host, (page, target) =>
      page.evaluate(
        async ([url, body]) => {
          const attempt = (path: string, init: RequestInit) =>
            fetch(`${url}${path}`, { method: 'POST', credentials: 'include', ...init }).then(
              ({ type, status }) => `${type} ${status}`,
              () => 'failed',
            )
          const json = { 'content-type': 'application/json' }
          const custom = { ...json, 'tidegate-console': '1' }
          return [
            await attempt('api/keys.list', {}),
            await attempt('api/keys.mint', { headers: json, body }),
            await attempt('api/keys.mint', { headers: custom, body }),
            await attempt('account/signOut', {}),
            // Sent without asking the server first; the answer cannot be read.
            await attempt('api/keys.mint', { mode: 'no-cors', body }),
            await attempt('account/signOut', { mode: 'no-cors' }),
          ]
        },
        [target, JSON.stringify(KEY)] as const,
      ),
    )
    expect(outcomes.slice(0, 4)).toEqual(['failed', 'failed', 'failed', 'failed'])
    for (const outcome of outcomes.slice(4)) expect(outcome).toMatch(/^(opaque 0|failed)$/)
    expect(await keyNames()).toContain('"pipeline"')
    expect(await keyNames()).not.toContain('"stolen"')
  })

  test('cannot show the console in a frame', async () => {
    const shown = await onPageOf(host, async (page, target) => {
      const answered = page.waitForResponse(target)
      await page.evaluate((src) => {
        const frame = document.createElement('iframe')
        frame.src = src
        document.body.append(frame)
      }, target)
      await answered
      const [, frame] = page.frames()
      await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/)
      return await frame?.content()
    })
    expect(shown).not.toContain('<title>Tidegate</title>')
  })

  test('opens no live connection', async () => {
    const outcome = await onPageOf(host, (page, target) =>
      page.evaluate(
        ([url, protocol]) =>
          new Promise<string>((resolve) => {
            const socket = new WebSocket(`${url.replace('http', 'ws')}live`, protocol)
            socket.addEventListener('open', () => resolve('open'))
            socket.addEventListener('error', () => resolve('refused'))
          }),
        [target, LIVE_PROTOCOL] as const,
      ),
    )
    expect(outcome).toBe('refused')
  })

  test.each([
    ['api/keys.mint', JSON.stringify(KEY)],
    ['account/signOut', ''],
  ] as const)('changes nothing by a form to %s', async (path, content) => {
    const status = await onPageOf(host, async (page, target) => {
      const answered = page.waitForResponse(`${target}${path}`)
      // A page that is closed while it changes may never report that it is.
      const shown = page.waitForURL(`${target}${path}`)
      await page.evaluate(
        ([action, value]) => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', enctype: 'text/plain', action })
          // Sent as the name, an equals sign and the value: JSON with a member more.
          const field = document.createElement('input')
          field.name = value
          form.append(field)
          document.body.append(form)
          // Only then: the navigation would take the answer of this call with it.
          setTimeout(() => form.submit())
        },
        [`${target}${path}`, content] as const,
      )
      await shown
      return (await answered).status()
    })
    expect(status).toBe(403)
    expect(await keyNames()).toContain('"pipeline"')
    expect(await keyNames()).not.toContain('"stolen"')
  })

  test('reads nothing by a script or a window', async () => {
    const [script = ''] = /assets\/[^"]+\.js/.exec(await opened.page.content()) ?? []
    const outcomes = await onPageOf(host, async (page, target) => {
      const appeared = page.waitForEvent('popup')
      const result = await page.evaluate(
        async ([url, file]) => {
          const tag = document.createElement('script')
          const loaded = new Promise<string>((resolve) => {
            tag.addEventListener('load', () => resolve('loaded'))
            tag.addEventListener('error', () => resolve('refused'))
          })
          tag.src = `${url}${file}`
          document.head.append(tag)
          const other = window.open(url)
          // The page of the console breaks the connection to the window that opened it.
          while (other?.closed === false) await new Promise((resolve) => setTimeout(resolve, 50))
          return await loaded
        },
        [target, script] as const,
      )
      const popup = await appeared
      await popup.getByRole('heading', { level: 1 }).waitFor()
      await popup.close()
      return result
    })
    expect(outcomes).toBe('refused')
  })
})
