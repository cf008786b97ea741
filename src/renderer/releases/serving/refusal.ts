import { ConsoleError, consoleErrorOf } from '../../bridge/error.ts'

/** Why a serving change was refused, for somebody who did not expect it. Other errors stay. */
export function refusalInWords(error: unknown): ConsoleError | null {
  if (error === null || error === undefined) return null
  const { code, message } = consoleErrorOf(error)
  if (code === 'invariant') {
    const reason = message.replace(/^[\w.]+: /, '')
    return new ConsoleError({
      code,
      message: `It ${reason}. What devices were offered cannot be taken back from them; roll the release back to withdraw it. Nothing was changed.`,
    })
  }
  if (code === 'rolled_back') {
    return new ConsoleError({
      code,
      message:
        'It was rolled back in the meantime, which is final. Publish a new version to serve these files again. Nothing was changed.',
    })
  }
  return new ConsoleError({ code, message })
}
