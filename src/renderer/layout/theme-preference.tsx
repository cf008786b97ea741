import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shell } from '../bridge/clients.ts'

/** Applies the theme that the person chose in the preferences; draws nothing. */
export function ThemePreference() {
  const { data } = useQuery(shell.shell.preferences.queryOptions())
  const { setColorScheme } = useMantineColorScheme()
  const chosen = data?.theme
  useEffect(() => {
    if (chosen !== undefined) setColorScheme(chosen === 'system' ? 'auto' : chosen)
  }, [chosen, setColorScheme])
  return null
}
