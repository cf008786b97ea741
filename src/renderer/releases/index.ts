export { CompareScreen } from './compare/compare-screen.tsx'
export { ReleasesScreen } from './list/releases-screen.tsx'
export { PublishScreen } from './publish/publish-screen.tsx'
export { ReleaseScreen } from './release/release-screen.tsx'
