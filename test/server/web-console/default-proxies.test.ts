import { describe, expect, test } from 'vitest'
import { freePort } from '../../support/processes/ports.ts'
import {
  call,
  openLive,
  PASSWORD,
  pageHeaders,
  send,
  signUp,
  startBrowserConsole,
} from '../../support/servers/browser.ts'
import { type ProxyName, startProxy } from '../../support/servers/proxy.ts'
import { needs } from '../../support/tools.ts'

/** The shortest configuration of each proxy, with all that it does by default. */
const SITES: Readonly<Record<ProxyName, (port: number, server: string) => string>> = {
  nginx: (port, server) => `server { listen ${port}; location / { proxy_pass http://${server}; } }`,
  caddy: (port, server) => `http://:${port} {\n  reverse_proxy ${server}\n}`,
  haproxy: (port, server) =>
    [
      ...['frontend all', `  bind 127.0.0.1:${port}`, '  default_backend tidegate'],
      ...['backend tidegate', `  server one ${server}`],
    ].join('\n'),
  apache2: (port, server) => `Listen ${port}\nProxyPass "/" "http://${server}/"`,
}

const PERSON = { name: 'Ada', password: PASSWORD }

/** Starts a server whose console is for this computer only, and a proxy in front of it that anybody reaches. */
async function startBehind(proxy: ProxyName) {
  const server = await startBrowserConsole()
  const session = await signUp(server)
  const port = await freePort()
  const { host } = new URL(server.address)
  await startProxy(proxy, { site: SITES[proxy](port, host), port })
  const address = `http://127.0.0.1:${port}`
  // Some proxies pass on what the caller says, others say the address of the server.
  const hosts = [host, 'localhost', host.replace(/^[^:]*/, 'localhost'), `127.0.0.1:${port}`]
  const attempts = hosts.flatMap((sent) =>
    hosts.map((seen) => {
      const { cookie: _, ...headers } = pageHeaders(`http://${seen}`)
      return { ...headers, host: sent }
    }),
  )
  return { session, address, attempts }
}

describe.each(['caddy', 'apache2'] as const)('behind %s, which says that it is there', (proxy) => {
  test('a console for this computer only does not exist', needs(proxy), async () => {
    const { session, address, attempts } = await startBehind(proxy)
    expect((await send(address, '/healthz')).status).toBe(200)
    for (const headers of attempts) {
      for (const path of ['/console', '/console/', '/console/index.html']) {
        const page = await send(address, path, { headers: { host: headers.host } })
        expect([path, page.status], headers.host).toEqual([path, 404])
      }
      const landing = await send(address, '/', { headers: { ...headers, accept: 'text/html' } })
      expect(landing.status, headers.host).toBe(200)
      for (const cookie of [{}, { cookie: session }]) {
        const calls = { ...headers, ...cookie }
        expect((await call(address, 'account/state', undefined, calls)).status).toBe(404)
        expect((await call(address, 'account/signIn', PERSON, calls)).status).toBe(404)
        expect(await openLive(address, calls)).toBe(404)
      }
    }
  })
})

describe.each(['nginx', 'haproxy'] as const)('behind %s, which adds nothing', (proxy) => {
  test('nobody signs in without the code of the terminal', needs(proxy), async () => {
    const { address, attempts } = await startBehind(proxy)
    expect((await send(address, '/healthz')).status).toBe(200)
    const states = []
    for (const headers of attempts) {
      const ask = (procedure: string, input?: unknown, more = {}) =>
        call(address, `account/${procedure}`, input, { ...headers, ...more })
      const state = await ask('state')
      if (state.status === 200) states.push(JSON.parse(state.text).result.data)
      for (const cookie of ['', `tidegate-code=${'a'.repeat(22)}`, 'tidegate-browser=a.b']) {
        for (const [procedure, input] of [
          ['signIn', PERSON],
          ['passkey', undefined],
          ['signOn', { page: 'http://localhost/console/' }],
          ['enterCode', { code: 'a'.repeat(22) }],
        ] as const) {
          const answer = await ask(procedure, input, { cookie })
          expect([403, 421], `${procedure} ${headers.host}`).toContain(answer.status)
          expect(answer.headers['set-cookie']).toBeUndefined()
        }
      }
    }
    // Some attempts get that far.
    expect(states.length).toBeGreaterThan(0)
    for (const state of states) {
      expect(state).toEqual({
        ...{ needsCode: true, hasAccounts: true, signedInAs: null, singleSignOn: null },
      })
    }
  })
})
