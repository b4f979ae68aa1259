export {
  type BearerForwarder,
  type BearerForwarderOptions,
  startBearerForwarder,
} from './bearer-forwarder.ts';
export { noteComplaints } from './browser/complaints.ts';
export { findChromium, isBrowserMissing } from './browser/find-chromium.ts';
export { type Hand, keyboard, mouse } from './browser/hand.ts';
export { pressByKeyboard, typeByKeyboard } from './browser/keyboard.ts';
export { launchBrowser } from './browser/launch-browser.ts';
export { type StaticSite, startStaticSite } from './browser/static-site.ts';
export {
  connectAccount,
  removePerson,
  repairIntegration,
  replaceSecret,
  revokeAccess,
  tryWithout,
} from './browser/stories.ts';
export { startTrace, type Traced } from './browser/trace.ts';
export {
  CONFORMANCE_RUNS,
  type ConformanceOptions,
  conformanceVerdicts,
  passedScenarios,
  requiredScenarios,
  runConformance,
} from './conformance.ts';
export {
  type AuthorizationConformanceOptions,
  runAuthorizationConformance,
} from './conformance-authorization.ts';
export {
  type ClientConformanceOptions,
  type ClientConformanceRun,
  runClientConformance,
} from './conformance-client/run-client-conformance.ts';
export type {
  ClientScenario,
  PlayedScenario,
  PlayScenario,
} from './conformance-client/scenario-queue.ts';
export type {
  ConformanceCheck,
  ConformanceRun,
  ConformanceScenario,
  ConformanceTool,
} from './conformance-tool.ts';
export type { Fault } from './fault-proxy/fault.ts';
export {
  type FaultProxy,
  type FaultProxyCounts,
  type FaultProxyOptions,
  startFaultProxy,
} from './fault-proxy/start-fault-proxy.ts';
export { findProgram } from './find-program.ts';
export { isRuntimeMissing } from './is-runtime-missing.ts';
export { findFreePort } from './launch/free-port.ts';
export {
  type GatehouseOptions,
  isGatehouseReady,
  type LaunchedGatehouse,
  launchGatehouse,
  serverArgs,
} from './launch/gatehouse.ts';
export {
  type ExitStatus,
  LaunchError,
  type LaunchedProcess,
  type LaunchOptions,
  launch,
  type ReadyWhen,
} from './launch/launch.ts';
export type { ProcessUsage } from './launch/usage.ts';
export {
  type ConnectedMcpClient,
  connectMcpClient,
  type McpClientOptions,
  type McpEra,
} from './mcp-client.ts';
export { findNewerNode, findNode24 } from './node-binary.ts';
export { packPackage } from './publishing/pack-package.ts';
export { type PublishingOptions, publishingFaults } from './publishing/publishing-faults.ts';
export { mustRun, type Outcome, type RunOptions, runCommand } from './publishing/run-command.ts';
export { filesIn } from './publishing/tarball.ts';
export {
  createRecordingFetch,
  type ReceivedResponse,
  type RecordingFetch,
} from './recording-fetch.ts';
