import { refusedCall } from '../../../shared/console/bridge/bridge.ts'
import { RefusalFacts } from '../../../shared/refusal.ts'
import { ConsoleError } from '../../bridge/error.ts'

const REFUSED = /^#\/sign-on\/(.{1,2000})$/

/** Returns why a sign-in at the identity provider was refused, if the page was opened with that. */
export function signOnRefusal(): ConsoleError | undefined {
  const [, encoded] = REFUSED.exec(location.hash) ?? []
  if (encoded === undefined) return undefined
  try {
    const facts = RefusalFacts.parse(JSON.parse(decodeURIComponent(encoded)))
    return ConsoleError.of(refusedCall(facts))
  } catch {
    return undefined
  }
}

/** Forgets the refusal, so that the page shows the console once somebody has signed in otherwise. */
export function leaveSignOn(): void {
  if (REFUSED.test(location.hash)) location.replace('#/')
}
