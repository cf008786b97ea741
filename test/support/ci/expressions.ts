/** What `${{ … }}` can name, such as `{ inputs: { app: 'editor' } }`. */
export type Contexts = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * Evaluates the expressions of GitHub Actions in a text, as far as they name a value: `${{ inputs.app }}`. What is not
 * set is empty, as it is there. Throws for anything else, so that no workflow passes that is understood in part.
 */
export function evaluate(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const path = expression.trim().split('.')
    if (!/^[a-z]+(\.[\w-]+)+$/i.test(expression.trim())) throw new Error(`unknown: ${expression}`)
    const [context = '', ...rest] = path
    if (!(context in contexts)) throw new Error(`unknown context: ${context}`)
    let value: unknown = contexts[context]
    for (const name of rest) {
      value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
    }
    return value === undefined || value === null ? '' : String(value)
  })
}
