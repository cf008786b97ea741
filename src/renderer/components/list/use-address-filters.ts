import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Echoes } from './echoes.ts'

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
