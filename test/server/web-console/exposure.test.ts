import { hostname } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileTrust } from '../../../src/server/http/request/address.ts'
import { reachConsole } from '../../../src/server/web-console/exposure.ts'

type Mode = 'off' | 'loopback' | 'lan'

/** What the console makes of a request; on loopback by plain HTTP unless told. */
function reach(
  given: {
    mode?: Mode
    plainHttp?: boolean
    names?: string[]
    proxies?: string[]
    from?: string
    to?: string
    tls?: boolean
    host?: string | undefined
    proto?: string
    also?: Record<string, string>
  } = {},
) {
  const { mode = 'loopback', plainHttp = false, names = [], proxies = [] } = given
  const { from = '127.0.0.1', to = '127.0.0.1', tls = false, proto, also = {} } = given
  const host = 'host' in given ? given.host : '127.0.0.1:8440'
  const headers = { ...(host && { host }), ...(proto && { 'x-forwarded-proto': proto }), ...also }
  const socket = { remoteAddress: from, localAddress: to, encrypted: tls }
  const request = { headers, socket } as unknown as Parameters<typeof reachConsole>[0]
  const config = { mode, plainHttp, names, pageFolder: '/' }
  return reachConsole(request, { config, trustProxy: compileTrust(proxies) })
}

const LAN = { from: '192.168.1.30', to: '192.168.1.20' } as const

test.each([
  ['localhost:8440', 'http://localhost:8440'],
  ['127.0.0.1:8440', 'http://127.0.0.1:8440'],
  ['[::1]:8440', 'http://[::1]:8440'],
  ['LOCALHOST', 'http://localhost'],
])('on loopback it answers as %s', (host, origin) => {
  expect(reach({ host })).toEqual({ origin, secure: false, isForThisComputer: true })
})

test.each([
  { forwarded: 'for=203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-server': 'localhost' },
  { 'x-forwarded-proto': 'http' },
  { 'x-forwarded-anything': '' },
  { via: '1.1 proxy' },
  { 'x-real-ip': '127.0.0.1' },
])('on loopback it does not answer what came through a proxy: %o', (also) => {
  for (const host of ['localhost', '127.0.0.1:8440']) {
    expect(reach({ host, also })).toBe('off')
    expect(reach({ host, also, names: ['localhost', '127.0.0.1'] })).toBe('off')
    // Offered to the network, it is as far away as everybody else there.
    expect(reach({ host, also, mode: 'lan' })).not.toBeTypeOf('object')
  }
})

test('whoever connects from where a trusted proxy is, is not on this computer', () => {
  const trusted = { proxies: ['loopback'], names: ['updates.studio.example'] }
  // A proxy that is not told otherwise sends the address at which it reaches the server, and no protocol.
  expect(reach({ ...trusted, host: 'localhost' })).toBe('proxy_host')
  expect(reach({ ...trusted, host: '127.0.0.1:8440' })).toBe('proxy_host')
  expect(reach({ ...trusted, host: 'other.example' })).toBe('unknown_host')
  expect(reach({ ...trusted, host: 'updates.studio.example' })).toBe('proxy_protocol')
  expect(reach({ ...trusted, host: 'updates.studio.example', proto: 'http' })).toBe('needs_tls')
  expect(reach({ ...trusted, mode: 'lan', host: 'localhost' })).toBe('proxy_host')
  const elsewhere = { proxies: ['10.0.0.1'], host: 'localhost' }
  expect(reach(elsewhere)).toMatchObject({ isForThisComputer: true })
})

test('a console for the network is for this computer only as long as the network does not get it', () => {
  expect(reach({ mode: 'lan' })).toMatchObject({ isForThisComputer: true })
  expect(reach({ mode: 'lan', tls: true })).toMatchObject({ isForThisComputer: false })
  expect(reach({ mode: 'lan', plainHttp: true })).toMatchObject({ isForThisComputer: false })
})

test.each([
  undefined,
  '',
  'evil.example',
  'evil.example:8440',
  '192.0.2.1:8440',
  'a b',
  'localhost.evil.example',
])('on loopback it does not answer as %s', (host) => {
  expect(reach({ host })).toBe('unknown_host')
})

test('other computers do not reach it unless it is offered to the network', () => {
  expect(reach({ ...LAN, host: '192.168.1.20:8440' })).toBe('off')
  expect(reach({ ...LAN, host: 'localhost:8440' })).toBe('off')
  // A connection of this computer to its address in the network is none over loopback.
  expect(reach({ from: '192.168.1.20', to: '192.168.1.20', host: 'localhost' })).toBe('off')
})

test('the network gets it over TLS only, unless plain HTTP is allowed', () => {
  const host = `${hostname()}:8440`
  const origin = host.toLowerCase()
  expect(reach({ ...LAN, mode: 'lan', host })).toBe('needs_tls')
  expect(reach({ ...LAN, mode: 'lan', host, tls: true })).toEqual({
    origin: `https://${origin}`,
    secure: true,
    isForThisComputer: false,
  })
  expect(reach({ ...LAN, mode: 'lan', host, plainHttp: true })).toEqual({
    origin: `http://${origin}`,
    secure: false,
    isForThisComputer: false,
  })
})

test('a name of DNS rebinding is refused in every mode', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Mode>('loopback', 'lan'),
      fc.domain(),
      fc.boolean(),
      fc.boolean(),
      (mode, host, tls, local) => {
        fc.pre(host !== hostname().toLowerCase())
        const place = local ? {} : LAN
        expect(reach({ ...place, mode, host, tls })).not.toBeTypeOf('object')
      },
    ),
  )
})

test('behind a trusted proxy it answers under the configured names, by the scheme of the proxy', () => {
  const proxied = { proxies: ['loopback'], names: ['updates.studio.example'], proto: 'https' }
  expect(reach({ ...proxied, host: 'updates.studio.example' })).toEqual({
    origin: 'https://updates.studio.example',
    secure: true,
    isForThisComputer: false,
  })
  expect(reach({ ...proxied, host: '127.0.0.1:8440' })).toBe('proxy_host')
  expect(reach({ ...proxied, host: 'updates.studio.example', proto: 'http' })).toBe('needs_tls')
})

test('a proxy that nobody trusts changes nothing', () => {
  const forged = { ...LAN, names: ['updates.studio.example'], proto: 'https' }
  expect(reach({ ...forged, host: 'updates.studio.example' })).toBe('off')
  expect(reach({ ...forged, mode: 'lan', host: 'updates.studio.example' })).toBe('needs_tls')
})
