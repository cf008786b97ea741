import { networkInterfaces } from 'node:os'

/** Returns an IPv4 address of this computer that is not loopback. Throws if it is in no network. */
export function networkAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((found = []) => found)
  const found = all.find(({ family, internal }) => family === 'IPv4' && !internal)
  if (found === undefined) throw new Error('this computer is in no network, which this test needs')
  return found.address
}
