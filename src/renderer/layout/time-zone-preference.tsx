import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shell } from '../bridge/clients.ts'
import { setTimeZone } from '../components/time.ts'

/** Applies the time zone that the person chose in the preferences; draws nothing. */
export function TimeZonePreference() {
  const { data } = useQuery(shell.shell.preferences.queryOptions())
  const chosen = data?.timeZone
  useEffect(() => {
    if (chosen !== undefined) setTimeZone(chosen)
  }, [chosen])
  return null
}
