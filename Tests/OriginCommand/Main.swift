import TestSupport

@main
struct OriginCommand { static func main() {} }
