import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Echoes } from './use-field-text.ts'

/**
 * Keeps the filters of a list in the address of its screen. Changes that come before the address has followed
 * the last one add up. `read` and `write` must be inverse to each other.
 */
export function useAddressFilters<Filters extends object>(
  read: (params: URLSearchParams) => Filters,
  write: (filters: Filters) => URLSearchParams,
): [filters: Filters, change: (parts: Partial<Filters>) => void] {
  const [params, setParams] = useSearchParams()
  const filters = read(params)
  const wanted = useRef(filters)
  const [echoes] = useState(() => new Echoes())
  const address = params.toString()
  useEffect(() => {
    echoes.receive(address)
    if (!echoes.isWaiting) wanted.current = read(new URLSearchParams(address))
  }, [address, echoes, read])
  const change = (parts: Partial<Filters>) => {
    wanted.current = { ...wanted.current, ...parts }
    const next = write(wanted.current)
    if (next.toString() === address && !echoes.isWaiting) return
    echoes.send(next.toString())
    setParams(next, { replace: true })
  }
  return [filters, change]
}

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
