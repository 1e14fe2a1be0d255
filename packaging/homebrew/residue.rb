# A Homebrew formula for Linux: libresidue for C and C++, from the tarball that scripts/make_packages.sh makes.
class Residue < Formula
  desc "Element-wise maths with the same bits on every machine"
  url "file://#{ENV.fetch("RESIDUE_TARBALL")}"
  version "0.1.0"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "highway"
  depends_on :linux
  depends_on "tbb"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DRESIDUE_BUILD_TESTS=OFF",
                    "-DRESIDUE_BUILD_EXAMPLES=OFF", "-DRESIDUE_BUILD_DIRECTML=OFF",
                    "-DRESIDUE_BUILD_ONNXRUNTIME=OFF", "-DRESIDUE_CCACHE=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"test.cpp").write <<~CPP
      #include <residue/residue.hpp>
      int main() { return residue::ModulusFloor(-7, 3) == 2 ? 0 : 1; }
    CPP
    system ENV.cxx, "-std=c++20", "test.cpp", "-I#{include}", "-L#{lib}", "-lresidue", "-o", "test"
    system "./test"
  end
end
