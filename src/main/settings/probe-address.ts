import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, isIP } from 'node:net'
import type { SettingIssue } from '../../shared/console/setting-issue.ts'
import type { Address } from '../../shared/console/settings.ts'
import { messageOf } from '../../shared/message-of.ts'
import { listenFailure } from '../../shared/start-failure.ts'

/** Milliseconds that the resolver has for a name. */
const LOOKUP_TIME = 5_000

/** Listens at an address for a moment, and returns why that is not possible; undefined if it is. */
export async function probeAddress({ host, port }: Address): Promise<SettingIssue | undefined> {
  const ip = isIP(host) === 0 ? await resolve(host) : host
  if (ip === undefined) return { code: 'unknown_address', host }
  const probe = createServer()
  try {
    probe.listen({ host: ip, port })
    await once(probe, 'listening')
    return undefined
  } catch (error) {
    const detail = messageOf(error)
    return listenFailure(error, { host, port }) ?? { code: 'unusable_address', detail }
  } finally {
    probe.close()
  }
}

async function resolve(name: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), LOOKUP_TIME)
  })
  const found = lookup(name).then(
    ({ address }) => address,
    () => undefined,
  )
  try {
    return await Promise.race([found, late])
  } finally {
    clearTimeout(timer)
  }
}
