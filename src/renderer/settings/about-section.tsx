import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { VersionState } from '../../shared/console/shell.ts'
import { shell } from '../bridge/clients.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Panel } from '../components/panel.tsx'
import { When } from '../components/when.tsx'
import classes from './settings.module.css'

/** What runs here, for the person who reports a bug. */
export function AboutSection() {
  const about = useQuery(shell.shell.about.queryOptions())
  return (
    <Panel title="About">
      <Loaded query={about}>
        {({ version, electron, chromium, node, platform, dataFolder }) => (
          <dl className={classes.facts}>
            <dt>Tidegate</dt>
            <dd>{version}</dd>
            <dt>Updates</dt>
            <dd>
              <VersionLine />
            </dd>
            <dt>Electron</dt>
            <dd>
              {electron}, with Chromium {chromium} and Node {node}
            </dd>
            <dt>System</dt>
            <dd>{platform}</dd>
            <dt>Data folder</dt>
            <dd>
              {dataFolder}
              <CopyButton text={dataFolder} what="the path of the data folder" />
            </dd>
          </dl>
        )}
      </Loaded>
    </Panel>
  )
}

/** Shows whether a new version of Tidegate is available. */
function VersionLine() {
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
