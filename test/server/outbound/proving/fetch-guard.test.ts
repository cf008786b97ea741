import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type ProofTask,
  proveArtifact,
} from '../../../../src/server/outbound/proving/prove-artifact.ts'
import { proofTask } from '../../../support/builders/proof-task.ts'
import { startDnsServer } from '../../../support/servers/dns-server.ts'
import {
  type FileServer,
  publishedFile,
  startFileServer,
} from '../../../support/servers/file-server.ts'

const prove = (task: ProofTask) => proveArtifact(task, new AbortController().signal)
const FILE = randomBytes(1_000)

/** A host that is allowed, and one that is not: an internal service that must not be asked. */
async function start() {
  const [files, internal] = [await startFileServer(), await startFileServer()]
  files.put('/app', FILE)
  internal.put('/app', FILE)
  const proveAt = (
    url: string,
    hosts = [files.host],
    parts: Parameters<typeof proofTask>[2] = {},
  ) => prove(proofTask(publishedFile(url, FILE), hosts, parts))
  return { files, internal, proveAt }
}

const redirect = (files: FileServer, to: string, status = 302) =>
  files.put('/redirect', (response) => response.writeHead(status, { location: to }).end())

test('only allowed hosts are asked, on their port', async () => {
  const { files, internal, proveAt } = await start()
  expect(await proveAt(`${files.url}/app`)).toMatchObject({ failure: null })
  expect(await proveAt(`${internal.url}/app`)).toEqual({
    failure: { code: 'host_not_allowed', host: internal.host },
  })
  // An address without a port is that of the usual ports, and so is a range.
  for (const hosts of [[], ['127.0.0.1'], ['127.0.0.0/8'], ['localhost'], ['files.example']]) {
    expect(await proveAt(`${files.url}/app`, hosts), hosts.join()).toMatchObject({
      failure: { code: 'host_not_allowed' },
    })
  }
  expect(internal.connections()).toBe(0)
})

test('a redirect leads to allowed hosts only, as often as allowed', async () => {
  const { files, internal, proveAt } = await start()
  for (const status of [301, 302, 303, 307, 308]) {
    redirect(files, '/app', status)
    expect(await proveAt(`${files.url}/redirect`)).toMatchObject({ failure: null })
    redirect(files, `${internal.url}/app`, status)
    expect(await proveAt(`${files.url}/redirect`)).toMatchObject({
      failure: { code: 'host_not_allowed', host: internal.host },
    })
  }
  redirect(files, '/redirect')
  const before = files.asked.length
  expect(await proveAt(`${files.url}/redirect`)).toEqual({
    failure: { code: 'too_many_redirects', maximum: 5 },
  })
  expect(files.asked.length - before).toBe(6)
  expect(internal.connections()).toBe(0)
})

test.each([
  ['file:///etc/passwd', 'protocol'],
  ['ftp://files.example/app', 'protocol'],
  ['data:text/plain,x', 'protocol'],
  ['javascript:0', 'protocol'],
  ['http://', 'malformed'],
])('a redirect to %s is refused', async (location, reason) => {
  const { files, proveAt } = await start()
  redirect(files, location)
  expect(await proveAt(`${files.url}/redirect`)).toEqual({
    failure: { code: 'url_not_allowed', reason },
  })
})

test('a user name or password is never sent', async () => {
  const { files, internal, proveAt } = await start()
  const failure = { code: 'url_not_allowed', reason: 'credentials' }
  const { host } = files
  // The last one is not the allowed host: what stands before the @ is not one.
  for (const url of [
    `http://me@${host}/app`,
    `http://me:secret@${host}/app`,
    `http://${host}@${internal.host}/app`,
  ]) {
    expect(await proveAt(url)).toEqual({ failure })
    redirect(files, url)
    expect(await proveAt(`${files.url}/redirect`)).toEqual({ failure })
  }
  expect(files.asked.filter((path) => path === '/app')).toEqual([])
  expect(internal.connections()).toBe(0)
})

test('an address that is not on the internet must be named, in every spelling', async () => {
  const { files, proveAt } = await start()
  const { port } = files
  const spellings = [
    ...['127.0.0.1', '0x7f.1', '2130706433', '017700000001', '127.1', '[::ffff:127.0.0.1]'],
    ...['localhost', '0.0.0.0', '[::1]', '[::]'],
  ]
  for (const spelling of spellings) {
    // The name alone permits no address.
    const hosts = [`localhost:${port}`, 'downloads.example']
    const { failure } = await proveAt(`http://${spelling}:${port}/app`, hosts)
    const code = spelling === 'localhost' ? 'address_not_allowed' : 'host_not_allowed'
    expect(failure, spelling).toMatchObject({ code })
  }
  expect(files.connections()).toBe(0)
})

test('a name that resolves to an address inside is refused, unless the list has the address', async () => {
  const { files, proveAt } = await start()
  const { port } = files
  const inside: Record<string, string> = {
    'loopback.example': '127.0.0.1',
    'private.example': '10.1.2.3',
    'link-local.example': '169.254.169.254',
    'shared.example': '100.64.0.1',
    'multicast.example': '224.0.0.1',
    'this.example': '0.0.0.0',
  }
  const dns = await startDnsServer((name) => [inside[name] ?? '127.0.0.1'])
  const dnsServers = [dns.address]
  for (const [name, address] of Object.entries(inside)) {
    const host = `${name}:${port}`
    expect(await proveAt(`http://${host}/app`, [host], { dnsServers })).toEqual({
      failure: { code: 'address_not_allowed', host, address },
    })
  }
  expect(files.connections()).toBe(0)
  const url = `http://loopback.example:${port}/app`
  const host = `loopback.example:${port}`
  for (const named of ['127.0.0.1', '127.0.0.0/8', '127.0.0.1:9']) {
    expect(await proveAt(url, [host, named], { dnsServers }), named).toMatchObject({
      failure: null,
    })
  }
  expect(await proveAt(url, [host, '127.0.0.2/32'], { dnsServers })).toMatchObject({
    failure: { code: 'address_not_allowed' },
  })
  // It does not help to name the address without the host.
  expect(await proveAt(url, ['127.0.0.0/8'], { dnsServers })).toMatchObject({
    failure: { code: 'host_not_allowed' },
  })
})

test('a name with one good and one bad address is refused', async () => {
  const { files, proveAt } = await start()
  const dns = await startDnsServer(() => ['198.51.100.7', '127.0.0.1'])
  const host = `both.example:${files.port}`
  const hosts = [host, '198.51.100.0/24']
  expect(await proveAt(`http://${host}/app`, hosts, { dnsServers: [dns.address] })).toMatchObject({
    failure: { code: 'address_not_allowed', address: '127.0.0.1' },
  })
  expect(files.connections()).toBe(0)
})

test('a name that changes its address between two lookups gains nothing', async () => {
  const { files, internal, proveAt } = await start()
  // The first answer is harmless. A guard that looks up by itself would see it, and the connection the next one.
  let lookups = 0
  const dns = await startDnsServer(() => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.2'])
  const host = `rebinding.example:${files.port}`
  const hosts = [host, '127.0.0.1']
  const dnsServers = [dns.address]
  expect(await proveAt(`http://${host}/app`, hosts, { dnsServers })).toMatchObject({
    failure: null,
  })
  expect(dns.asked).toEqual(['rebinding.example'])
  // Each connection looks up anew, and is checked anew: also the next one, and that of a redirect.
  expect(await proveAt(`http://${host}/app`, hosts, { dnsServers })).toMatchObject({
    failure: { code: 'address_not_allowed', address: '127.0.0.2' },
  })
  lookups = 0
  redirect(files, `http://${host}/app`)
  expect(await proveAt(`http://${host}/redirect`, hosts, { dnsServers })).toMatchObject({
    failure: { code: 'address_not_allowed', address: '127.0.0.2' },
  })
  expect(internal.connections()).toBe(0)
})
