import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { VersionState } from '../../shared/console/shell.ts'
import { shell } from '../bridge/clients.ts'
import { When } from '../components/when.tsx'

/** Shows whether a new version of Tidegate is available. */
export function VersionLine() {
  const { data: state } = useQuery(shell.shell.versionState.queryOptions())
  return state === undefined ? null : <Text size="sm">{words(state)}</Text>
}

function words(state: VersionState) {
  switch (state.state) {
    case 'off':
      return 'Update checks are off'
    case 'unchecked':
      return 'Not checked for updates yet'
    case 'available':
      return (
        <>
          <strong>Tidegate {state.version} is available.</strong> Back up your data, then install it
          over this version. Your data and settings are kept.
        </>
      )
    case 'current':
      return (
        <>
          Latest version. Checked <When at={state.checkedAt} />
        </>
      )
    case 'failed':
      return (
        <>
          Could not reach the update server. Checked <When at={state.checkedAt} />
        </>
      )
    default:
      return state satisfies never
  }
}
