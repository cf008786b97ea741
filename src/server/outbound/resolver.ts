import { Resolver } from 'node:dns/promises'
import type { FindAddresses } from './address-guard.ts'

/** Milliseconds that one DNS server has to answer, and how often each is asked. */
const TIMEOUT = 3_000
const TRIES = 2

/**
 * Returns a lookup that asks those DNS servers alone, without the system's resolver and its hosts file. `servers`: IP
 * addresses, each with or without a port, as `dns.setServers` takes them.
 */
export function addressesFrom(servers: readonly string[]): FindAddresses {
  const resolver = new Resolver({ timeout: TIMEOUT, tries: TRIES })
  resolver.setServers([...servers])
  return (hostname, options, found) => {
    const asked = [
      ...(options.family === 6 ? [] : [resolver.resolve4(hostname).then(as(4))]),
      ...(options.family === 4 ? [] : [resolver.resolve6(hostname).then(as(6))]),
    ]
    void Promise.allSettled(asked).then((answers) => {
      const addresses = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? answer.value : [],
      )
      const failed = answers.find((answer) => answer.status === 'rejected')
      if (addresses.length > 0) found(null, addresses)
      else found(failed?.reason ?? new Error(`${hostname} has no address`), [])
    })
  }
}

function as(family: 4 | 6) {
  return (addresses: readonly string[]) => addresses.map((address) => ({ address, family }))
}
