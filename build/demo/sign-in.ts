import { randomBytes } from 'node:crypto'
import type { RunningServer } from '../../src/server/compose/running-server.ts'

const NAME = 'mara'

/** An account of the demo. */
export interface DemoAccount {
  readonly name: string
  readonly password: string
  /** Resolves when somebody signs in with it. */
  readonly signedIn: Promise<void>
}

/** Creates the first administrator, with a random password. */
export async function createAccount({ people }: RunningServer): Promise<DemoAccount> {
  const password = randomBytes(12).toString('base64url')
  const { token } = await people.createSetupLink()
  const caller = { address: '127.0.0.1', userAgent: 'npm run demo' }
  const accepted = await people.acceptLink(token, { name: NAME, password }, caller)
  if (accepted.kind !== 'signed_in') throw new Error('a new account has no second factor')
  const { account } = accepted.session
  const acting = { actor: { kind: 'command_line', name: NAME }, accountId: null } as const
  await people.endSessionsOf(acting, account.id)
  const signedIn = new Promise<void>((resolve) => {
    const unwatch = people.onChange(() => {
      if (people.sessionsOf(account.id).length === 0) return
      unwatch()
      resolve()
    })
  })
  return { name: NAME, password, signedIn }
}
