import type { z } from 'zod'

/** Reads a text from the address of a screen, at most `longest` characters of it; empty where there is none. */
export function readText(params: URLSearchParams, name: string, longest?: number): string {
  return (params.get(name) ?? '').slice(0, longest)
}

/** Reads a choice from the address; `otherwise` where there is none or it makes no sense. */
export function readChoice<Choice extends string, Otherwise extends string = Choice>(
  params: URLSearchParams,
  name: string,
  choices: z.ZodType<Choice>,
  otherwise: Otherwise,
): Choice | Otherwise {
  const read = choices.safeParse(params.get(name))
  return read.success ? read.data : otherwise
}

/** Writes values for the address. What is empty or as in `defaults` is left out. */
export function writeParams<Values extends object>(
  values: Values,
  defaults: Partial<Values> = {},
): URLSearchParams {
  const usual = new Map<string, unknown>(Object.entries(defaults))
  const present = Object.entries(values).filter(
    ([name, value]) => value !== '' && value !== usual.get(name),
  )
  return new URLSearchParams(present.map(([name, value]) => [name, String(value)]))
}
