import { ConsoleError } from '../error.ts'
import { text } from '../strings.ts'
import { accountClient } from './account-client.ts'

/** An address in place of a name: a passkey belongs to a domain (WebAuthn Level 3, section 4: RP ID). */
const IP_ADDRESS = /^(?:[\d.]+|\[.*\])$/

/** Loaded when a passkey is used: the first screen needs none. */
const library = () => import('@simplewebauthn/browser')

/** Whether passkeys can be used on this page. */
export function supportsPasskeys(): boolean {
  const isOffered = typeof window.PublicKeyCredential === 'function' && window.isSecureContext
  return isOffered && !IP_ADDRESS.test(location.hostname)
}

/** Makes a passkey of one's own account, without extensions, which nothing here uses. Rejects with a `ConsoleError` where none was made. */
export async function addPasskey(input: {
  readonly name: string
  readonly password: string
}): Promise<void> {
  const { ceremony, options } = await accountClient.own.beginPasskey.mutate()
  const { extensions, ...optionsJSON } = options
  const response = await used(async () => (await library()).startRegistration({ optionsJSON }))
  const made = { ...response, clientExtensionResults: {} }
  await accountClient.own.addPasskey.mutate({ ...input, ceremony, response: made })
}

/** Signs in with a passkey. Rejects with a `ConsoleError` where none was used. */
export async function signInWithPasskey(): Promise<void> {
  await accountClient.signInWithPasskey.mutate(await assertion(accountClient.passkey.mutate))
}

/** Confirms with a passkey that it is still the person. Rejects with a `ConsoleError` where none was used. */
export async function confirmWithPasskey(): Promise<void> {
  const asserted = await assertion(accountClient.own.beginConfirmation.mutate)
  await accountClient.own.confirmWithPasskey.mutate(asserted)
}

/** Has the browser use a passkey for what `begin` asks. */
async function assertion(begin: typeof accountClient.passkey.mutate) {
  const { ceremony, options } = await begin()
  const { extensions, ...optionsJSON } = options
  const response = await used(async () => (await library()).startAuthentication({ optionsJSON }))
  return { ceremony, response: { ...response, clientExtensionResults: {} } }
}

/** Browsers hide why a passkey was not used, so that pages learn nothing about the person's passkeys. */
async function used<Result>(ceremony: () => Promise<Result>): Promise<Result> {
  try {
    return await ceremony()
  } catch {
    throw new ConsoleError('invariant', text.passkeyNotUsed)
  }
}
