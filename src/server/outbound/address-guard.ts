import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Ranges that are not the public internet: the IANA special-purpose address registries, multicast, IPv4 that is translated
 * to IPv6 (RFC 7915), and 168.63.129.16, which is in the network of every machine in Azure.
 */
const SPECIAL = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['168.63.129.16/32', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24'],
  ...['192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64'],
  ...[
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '2620:4f:8000::/48',
    '3fff::/20',
    '5f00::/16',
    'fc00::/7',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ],
]

const special = new BlockList()
for (const range of SPECIAL) {
  const [network = '', prefix] = range.split('/')
  special.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4')
}

/** Returns whether an address is on the public internet. An IPv4 address in IPv6 counts as the former. */
export function isPublicAddress(address: string): boolean {
  const [bare = ''] = address.split('%')
  const version = isIP(bare)
  return version !== 0 && !special.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}

/** An address that the server does not connect to. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly address: string

  constructor(address: string) {
    super(`${address} is not allowed`)
    this.address = address
  }
}

type Found = (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void

/** Finds all addresses of a host. */
export type FindAddresses = (hostname: string, options: LookupOptions, found: Found) => void

const askSystem: FindAddresses = (hostname, options, found) =>
  lookup(hostname, { ...options, all: true }, found)

/**
 * Returns a lookup for connections that fails with `PrivateAddressError` if any address of the host is not allowed.
 * The addresses that it returns are those that are connected to, so that none can be put in between.
 */
export function guardedLookup(
  isAllowed: (address: string) => boolean,
  find: FindAddresses = askSystem,
): LookupFunction {
  return (hostname, options, callback) =>
    find(hostname, options, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const refused = addresses.find(({ address }) => !isAllowed(address))
      if (refused !== undefined) return callback(new PrivateAddressError(refused.address), '')
      const [first] = addresses
      if (options.all) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    })
}

/** The lookup for hosts that must be on the public internet. */
export const publicLookup: LookupFunction = guardedLookup(isPublicAddress)

/** Returns whether a URL names a host that may be private. `hosts`: lower case, with or without a port, IPv6 in brackets. */
export function isAllowedPrivate({ hostname, host }: URL, hosts: readonly string[]): boolean {
  return hosts.includes(hostname) || hosts.includes(host)
}

/** Returns the IP address that a URL names itself; undefined for a name, which is looked up. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}
