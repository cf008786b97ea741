import { useQuery } from '@tanstack/react-query'
import { shell } from '../bridge/clients.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Panel } from '../components/panel.tsx'
import classes from './settings.module.css'
import { VersionLine } from './version-line.tsx'

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
