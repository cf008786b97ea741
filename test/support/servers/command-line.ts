import { setTimeout as delay } from 'node:timers/promises'
import type { Session } from '../../../src/server/people/account.ts'
import type { People } from '../../../src/server/people/people.ts'
import type { SignInRequest } from '../../../src/server/people/sign-in/sign-in-codes.ts'

type Begun = ReturnType<People['codes']['begin']>

const CALLER = { address: '198.51.100.9', userAgent: 'tidegate-cli' }

/** Enters the code of a command that waits, which asks again meanwhile. Returns what the person sees. */
export async function shownCode(
  { codes }: Pick<People, 'codes'>,
  session: Session,
  { deviceCode, request }: Begun,
  typed = request.userCode,
): Promise<SignInRequest> {
  const shown = codes.find(session, typed)
  const isOver = shown.then(
    () => true,
    () => true,
  )
  while (!(await Promise.race([isOver, delay(1, false)]))) await codes.poll(deviceCode, CALLER)
  return await shown
}

/** Signs a command line in as somebody who is signed in, and returns its token. `managesPeople`: as `tidegate login --people`. */
export async function commandLineToken(
  people: Pick<People, 'codes'>,
  session: Session,
  caller = CALLER,
  managesPeople = false,
): Promise<string> {
  const begun = people.codes.begin('laptop', caller, managesPeople)
  const { userCode } = await shownCode(people, session, begun)
  await people.codes.decide(session, userCode, true)
  const progress = await people.codes.poll(begun.deviceCode, caller)
  if (progress.state !== 'signed_in') throw new Error(`not signed in: ${progress.state}`)
  return progress.token
}
