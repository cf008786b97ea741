import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>

/** What an answer is judged by. */
export interface JudgedAnswer {
  readonly status: number
  readonly text: string
  /** The parsed body, undefined if it is not JSON. */
  readonly body: unknown
}

/** An operation of an OpenAPI document: its path as a template, and its method in small letters. */
export interface DescribedOperation {
  readonly path: string
  readonly method: string
}

/** Compares requests and answers with an OpenAPI document. */
export class ApiDescription {
  readonly #paths: readonly { readonly template: string; readonly pattern: RegExp; item: Json }[]
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(document: Json) {
    formats.default(this.#ajv)
    this.#ajv.addSchema(document, 'openapi')
    this.#paths = Object.entries(objectOr(document.paths)).map(([template, item]) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
      item: objectOr(item),
    }))
  }

  /** Returns the operation that a request asks for; undefined if there is none, as for HEAD. */
  operation(method: string, url: string): DescribedOperation | undefined {
    const path = url.split('?')[0] ?? ''
    const name = method.toLowerCase()
    const found = this.#paths.find(({ pattern, item }) => pattern.test(path) && name in item)
    return found && { path: found.template, method: name }
  }

  /** Returns what in an answer is not as the operation describes it: its status, its body. */
  issues({ path, method }: DescribedOperation, answer: JudgedAnswer): string[] {
    const { status, text, body } = answer
    const place = `${method.toUpperCase()} ${path} answering ${status}`
    const responses = objectOr(this.#described(path, method).responses)
    if (!(status in responses)) return [`${place} is not documented`]
    if (!('content' in objectOr(responses[status]))) {
      return text === '' ? [] : [`${place} must have no body`]
    }
    const [mediaType = ''] = Object.keys(objectOr(objectOr(responses[status]).content))
    const parts = ['responses', status, 'content', mediaType, 'schema']
    const validate = this.#schema(path, method, ...parts)
    if (validate === undefined) return [`${place} has no schema`]
    validate(mediaType === 'application/json' ? body : text)
    const wrong = validate.errors ?? []
    return wrong.map(
      ({ instancePath, message }) => `${place}: ${instancePath || 'body'} ${message}`,
    )
  }

  /** Whether a body fits the schema of the operation; undefined if it takes none. */
  takes({ path, method }: DescribedOperation, body: unknown): boolean | undefined {
    if (!('requestBody' in this.#described(path, method))) return undefined
    const parts = ['requestBody', 'content', 'application/json', 'schema']
    return this.#schema(path, method, ...parts)?.(body)
  }

  #described(path: string, method: string): Json {
    const found = this.#paths.find(({ template }) => template === path)
    return objectOr(found?.item[method])
  }

  #schema(...parts: (string | number)[]): ValidateFunction | undefined {
    const pointer = ['paths', ...parts]
      .map((part) => encodeURIComponent(String(part).replace(/~/g, '~0').replace(/\//g, '~1')))
      .join('/')
    return this.#ajv.getSchema(`openapi#/${pointer}`)
  }
}

function objectOr(value: unknown): Json {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
