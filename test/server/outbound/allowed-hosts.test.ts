import { expect, test } from 'vitest'
import { AllowedHosts } from '../../../src/server/outbound/allowed-hosts.ts'
import { ArtifactHost } from '../../../src/shared/files/proving.ts'

test.each([
  'downloads.example',
  'Downloads.Example:8443',
  'nas.lan',
  'localhost:80',
  '192.168.1.20',
  '192.168.1.20:8080',
  '10.0.0.0/8',
  '::1',
  '[::1]:8080',
  'fd00::/8',
])('%s is an allowed host', (host) => {
  expect(ArtifactHost.safeParse(host).success).toBe(true)
})

test.each([
  '',
  '*',
  '*.example',
  'https://downloads.example',
  'downloads.example/path',
  'me@downloads.example',
  'downloads.example:0',
  'downloads.example:70000',
  '10.0.0.0/33',
  '127.1',
  '0x7f.1',
  '2130706433',
  '[downloads.example]',
  'a b',
  '-a.example',
])('%s is none', (host) => {
  expect(ArtifactHost.safeParse(host).success).toBe(false)
})

test('hosts are compared as URLs have them', () => {
  const hosts = new AllowedHosts(['downloads.example', 'nas.lan:8080', '[::1]:81', '10.0.0.0/8'])
  const has = (url: string) => hosts.hasHost(new URL(url))
  for (const url of [
    'https://downloads.example/x',
    'http://DOWNLOADS.example:80/x',
    'https://downloads.example./x',
    'http://nas.lan:8080/',
    'http://[0:0:0:0:0:0:0:1]:81/',
    'http://10.9.8.7/',
  ]) {
    expect(has(url), url).toBe(true)
  }
  for (const url of [
    'https://downloads.example:80/',
    'http://downloads.example:443/',
    'https://cdn.downloads.example/',
    'https://downloads.example.evil.example/',
    'http://nas.lan/',
    'http://[::1]/',
    'http://10.9.8.7:8080/',
    'http://11.0.0.1/',
  ]) {
    expect(has(url), url).toBe(false)
  }
})
