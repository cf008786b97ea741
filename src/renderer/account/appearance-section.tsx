import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { shell } from '../bridge/clients.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Loaded } from '../components/loading/loaded.tsx'
import { Panel } from '../components/panel.tsx'
import { AppearanceFields, setPreferences } from '../settings/appearance-fields.tsx'
import { text } from './strings.ts'

/** How the console looks in this browser. */
export function AppearanceSection() {
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const set = useChange(setPreferences, {
    failed: () => text.appearance.failed,
    inTurn: true,
  })
  return (
    <Panel title={text.appearance.title}>
      <Loaded query={preferences}>
        {({ theme, timeZone }) => (
          <Stack gap="md">
            <AppearanceFields theme={theme} timeZone={timeZone} onChange={set.send} />
            <ErrorNotice error={set.error} title={text.appearance.failed} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}
